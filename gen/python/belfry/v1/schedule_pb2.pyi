import datetime

from belfry.v1 import forecast_pb2 as _forecast_pb2
from belfry.v1 import job_pb2 as _job_pb2
from belfry.v1 import occurrence_pb2 as _occurrence_pb2
from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GapPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAP_POLICY_UNSPECIFIED: _ClassVar[GapPolicy]
    GAP_POLICY_RUN_AFTER: _ClassVar[GapPolicy]
    GAP_POLICY_SKIP: _ClassVar[GapPolicy]

class RepeatPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REPEAT_POLICY_UNSPECIFIED: _ClassVar[RepeatPolicy]
    REPEAT_POLICY_FIRST: _ClassVar[RepeatPolicy]
    REPEAT_POLICY_LAST: _ClassVar[RepeatPolicy]
    REPEAT_POLICY_BOTH: _ClassVar[RepeatPolicy]

class MissedPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MISSED_POLICY_UNSPECIFIED: _ClassVar[MissedPolicy]
    MISSED_POLICY_SKIP: _ClassVar[MissedPolicy]
    MISSED_POLICY_FIRE_ONCE: _ClassVar[MissedPolicy]
    MISSED_POLICY_FIRE_ALL: _ClassVar[MissedPolicy]
GAP_POLICY_UNSPECIFIED: GapPolicy
GAP_POLICY_RUN_AFTER: GapPolicy
GAP_POLICY_SKIP: GapPolicy
REPEAT_POLICY_UNSPECIFIED: RepeatPolicy
REPEAT_POLICY_FIRST: RepeatPolicy
REPEAT_POLICY_LAST: RepeatPolicy
REPEAT_POLICY_BOTH: RepeatPolicy
MISSED_POLICY_UNSPECIFIED: MissedPolicy
MISSED_POLICY_SKIP: MissedPolicy
MISSED_POLICY_FIRE_ONCE: MissedPolicy
MISSED_POLICY_FIRE_ALL: MissedPolicy

class Interval(_message.Message):
    __slots__ = ("every", "phase")
    EVERY_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    every: _duration_pb2.Duration
    phase: _duration_pb2.Duration
    def __init__(self, every: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., phase: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class ScheduleSpec(_message.Message):
    __slots__ = ("cron", "interval", "rrule", "time_zone", "gap_policy", "repeat_policy", "exclude_dates", "calendars", "start_time", "end_time", "max_runs", "jitter")
    CRON_FIELD_NUMBER: _ClassVar[int]
    INTERVAL_FIELD_NUMBER: _ClassVar[int]
    RRULE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    GAP_POLICY_FIELD_NUMBER: _ClassVar[int]
    REPEAT_POLICY_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_DATES_FIELD_NUMBER: _ClassVar[int]
    CALENDARS_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    MAX_RUNS_FIELD_NUMBER: _ClassVar[int]
    JITTER_FIELD_NUMBER: _ClassVar[int]
    cron: str
    interval: Interval
    rrule: str
    time_zone: str
    gap_policy: GapPolicy
    repeat_policy: RepeatPolicy
    exclude_dates: _containers.RepeatedScalarFieldContainer[str]
    calendars: _containers.RepeatedScalarFieldContainer[str]
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    max_runs: int
    jitter: _duration_pb2.Duration
    def __init__(self, cron: _Optional[str] = ..., interval: _Optional[_Union[Interval, _Mapping]] = ..., rrule: _Optional[str] = ..., time_zone: _Optional[str] = ..., gap_policy: _Optional[_Union[GapPolicy, str]] = ..., repeat_policy: _Optional[_Union[RepeatPolicy, str]] = ..., exclude_dates: _Optional[_Iterable[str]] = ..., calendars: _Optional[_Iterable[str]] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., max_runs: _Optional[int] = ..., jitter: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Schedule(_message.Message):
    __slots__ = ("tenant_id", "schedule", "uid", "spec", "job", "description", "paused", "pause_reason", "spec_description", "next_time", "last_time", "last_job_id", "create_time", "update_time", "etag", "error", "missed_policy", "catchup_window", "max_catchup", "runs", "spec_notes", "overlap_policy", "pause_on_failure")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    UID_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    JOB_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    PAUSE_REASON_FIELD_NUMBER: _ClassVar[int]
    SPEC_DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    NEXT_TIME_FIELD_NUMBER: _ClassVar[int]
    LAST_TIME_FIELD_NUMBER: _ClassVar[int]
    LAST_JOB_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    MISSED_POLICY_FIELD_NUMBER: _ClassVar[int]
    CATCHUP_WINDOW_FIELD_NUMBER: _ClassVar[int]
    MAX_CATCHUP_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    SPEC_NOTES_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_POLICY_FIELD_NUMBER: _ClassVar[int]
    PAUSE_ON_FAILURE_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedule: str
    uid: str
    spec: ScheduleSpec
    job: _job_pb2.JobSpec
    description: str
    paused: bool
    pause_reason: str
    spec_description: str
    next_time: _timestamp_pb2.Timestamp
    last_time: _timestamp_pb2.Timestamp
    last_job_id: str
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    etag: str
    error: str
    missed_policy: MissedPolicy
    catchup_window: _duration_pb2.Duration
    max_catchup: int
    runs: int
    spec_notes: _containers.RepeatedScalarFieldContainer[str]
    overlap_policy: _occurrence_pb2.OverlapPolicy
    pause_on_failure: bool
    def __init__(self, tenant_id: _Optional[str] = ..., schedule: _Optional[str] = ..., uid: _Optional[str] = ..., spec: _Optional[_Union[ScheduleSpec, _Mapping]] = ..., job: _Optional[_Union[_job_pb2.JobSpec, _Mapping]] = ..., description: _Optional[str] = ..., paused: bool = ..., pause_reason: _Optional[str] = ..., spec_description: _Optional[str] = ..., next_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_job_id: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ..., error: _Optional[str] = ..., missed_policy: _Optional[_Union[MissedPolicy, str]] = ..., catchup_window: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., max_catchup: _Optional[int] = ..., runs: _Optional[int] = ..., spec_notes: _Optional[_Iterable[str]] = ..., overlap_policy: _Optional[_Union[_occurrence_pb2.OverlapPolicy, str]] = ..., pause_on_failure: bool = ...) -> None: ...

class CreateScheduleRequest(_message.Message):
    __slots__ = ("tenant_id", "schedule", "request_id", "validate_only")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedule: Schedule
    request_id: str
    validate_only: bool
    def __init__(self, tenant_id: _Optional[str] = ..., schedule: _Optional[_Union[Schedule, _Mapping]] = ..., request_id: _Optional[str] = ..., validate_only: bool = ...) -> None: ...

class CreateScheduleResponse(_message.Message):
    __slots__ = ("schedule",)
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    schedule: Schedule
    def __init__(self, schedule: _Optional[_Union[Schedule, _Mapping]] = ...) -> None: ...

class GetScheduleRequest(_message.Message):
    __slots__ = ("tenant_id", "schedule")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedule: str
    def __init__(self, tenant_id: _Optional[str] = ..., schedule: _Optional[str] = ...) -> None: ...

class GetScheduleResponse(_message.Message):
    __slots__ = ("schedule",)
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    schedule: Schedule
    def __init__(self, schedule: _Optional[_Union[Schedule, _Mapping]] = ...) -> None: ...

class ListSchedulesRequest(_message.Message):
    __slots__ = ("tenant_id", "page_size", "page_token")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    page_size: int
    page_token: str
    def __init__(self, tenant_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSchedulesResponse(_message.Message):
    __slots__ = ("schedules", "next_page_token")
    SCHEDULES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    schedules: _containers.RepeatedCompositeFieldContainer[Schedule]
    next_page_token: str
    def __init__(self, schedules: _Optional[_Iterable[_Union[Schedule, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class UpdateScheduleRequest(_message.Message):
    __slots__ = ("tenant_id", "schedule", "update_mask", "allow_missing", "validate_only")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    ALLOW_MISSING_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedule: Schedule
    update_mask: _field_mask_pb2.FieldMask
    allow_missing: bool
    validate_only: bool
    def __init__(self, tenant_id: _Optional[str] = ..., schedule: _Optional[_Union[Schedule, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., allow_missing: bool = ..., validate_only: bool = ...) -> None: ...

class UpdateScheduleResponse(_message.Message):
    __slots__ = ("schedule",)
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    schedule: Schedule
    def __init__(self, schedule: _Optional[_Union[Schedule, _Mapping]] = ...) -> None: ...

class DeleteScheduleRequest(_message.Message):
    __slots__ = ("tenant_id", "schedule", "etag")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedule: str
    etag: str
    def __init__(self, tenant_id: _Optional[str] = ..., schedule: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class DeleteScheduleResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PauseScheduleRequest(_message.Message):
    __slots__ = ("tenant_id", "schedule", "reason")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedule: str
    reason: str
    def __init__(self, tenant_id: _Optional[str] = ..., schedule: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class PauseScheduleResponse(_message.Message):
    __slots__ = ("schedule",)
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    schedule: Schedule
    def __init__(self, schedule: _Optional[_Union[Schedule, _Mapping]] = ...) -> None: ...

class ResumeScheduleRequest(_message.Message):
    __slots__ = ("tenant_id", "schedule")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedule: str
    def __init__(self, tenant_id: _Optional[str] = ..., schedule: _Optional[str] = ...) -> None: ...

class ResumeScheduleResponse(_message.Message):
    __slots__ = ("schedule",)
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    schedule: Schedule
    def __init__(self, schedule: _Optional[_Union[Schedule, _Mapping]] = ...) -> None: ...

class PreviewScheduleRequest(_message.Message):
    __slots__ = ("tenant_id", "spec", "after_time", "count", "schedule")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    AFTER_TIME_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    spec: ScheduleSpec
    after_time: _timestamp_pb2.Timestamp
    count: int
    schedule: str
    def __init__(self, tenant_id: _Optional[str] = ..., spec: _Optional[_Union[ScheduleSpec, _Mapping]] = ..., after_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., count: _Optional[int] = ..., schedule: _Optional[str] = ...) -> None: ...

class PreviewScheduleResponse(_message.Message):
    __slots__ = ("description", "times", "notes", "left_out", "zone_data_version")
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    ZONE_DATA_VERSION_FIELD_NUMBER: _ClassVar[int]
    description: str
    times: _containers.RepeatedCompositeFieldContainer[PreviewedTime]
    notes: _containers.RepeatedScalarFieldContainer[str]
    left_out: _containers.RepeatedScalarFieldContainer[str]
    zone_data_version: str
    def __init__(self, description: _Optional[str] = ..., times: _Optional[_Iterable[_Union[PreviewedTime, _Mapping]]] = ..., notes: _Optional[_Iterable[str]] = ..., left_out: _Optional[_Iterable[str]] = ..., zone_data_version: _Optional[str] = ...) -> None: ...

class PreviewedTime(_message.Message):
    __slots__ = ("time", "local_time", "note", "effective_time")
    TIME_FIELD_NUMBER: _ClassVar[int]
    LOCAL_TIME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_TIME_FIELD_NUMBER: _ClassVar[int]
    time: _timestamp_pb2.Timestamp
    local_time: str
    note: str
    effective_time: _timestamp_pb2.Timestamp
    def __init__(self, time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., local_time: _Optional[str] = ..., note: _Optional[str] = ..., effective_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BatchCreateSchedulesRequest(_message.Message):
    __slots__ = ("tenant_id", "schedules", "request_id", "validate_only")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULES_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedules: _containers.RepeatedCompositeFieldContainer[Schedule]
    request_id: str
    validate_only: bool
    def __init__(self, tenant_id: _Optional[str] = ..., schedules: _Optional[_Iterable[_Union[Schedule, _Mapping]]] = ..., request_id: _Optional[str] = ..., validate_only: bool = ...) -> None: ...

class BatchCreateSchedulesResponse(_message.Message):
    __slots__ = ("schedules",)
    SCHEDULES_FIELD_NUMBER: _ClassVar[int]
    schedules: _containers.RepeatedCompositeFieldContainer[Schedule]
    def __init__(self, schedules: _Optional[_Iterable[_Union[Schedule, _Mapping]]] = ...) -> None: ...
