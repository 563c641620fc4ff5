import datetime

from belfry.v1 import job_pb2 as _job_pb2
from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OverlapPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OVERLAP_POLICY_UNSPECIFIED: _ClassVar[OverlapPolicy]
    OVERLAP_POLICY_SKIP: _ClassVar[OverlapPolicy]
    OVERLAP_POLICY_ALLOW: _ClassVar[OverlapPolicy]
    OVERLAP_POLICY_BUFFER_ONE: _ClassVar[OverlapPolicy]
    OVERLAP_POLICY_CANCEL_RUNNING: _ClassVar[OverlapPolicy]

class OccurrenceOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OCCURRENCE_OUTCOME_UNSPECIFIED: _ClassVar[OccurrenceOutcome]
    OCCURRENCE_OUTCOME_SCHEDULED: _ClassVar[OccurrenceOutcome]
    OCCURRENCE_OUTCOME_FIRED: _ClassVar[OccurrenceOutcome]
    OCCURRENCE_OUTCOME_CAUGHT_UP: _ClassVar[OccurrenceOutcome]
    OCCURRENCE_OUTCOME_MERGED: _ClassVar[OccurrenceOutcome]
    OCCURRENCE_OUTCOME_SKIPPED: _ClassVar[OccurrenceOutcome]
    OCCURRENCE_OUTCOME_BLOCKED: _ClassVar[OccurrenceOutcome]

class OccurrenceOrigin(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OCCURRENCE_ORIGIN_UNSPECIFIED: _ClassVar[OccurrenceOrigin]
    OCCURRENCE_ORIGIN_RULE: _ClassVar[OccurrenceOrigin]
    OCCURRENCE_ORIGIN_MANUAL: _ClassVar[OccurrenceOrigin]
    OCCURRENCE_ORIGIN_BACKFILL: _ClassVar[OccurrenceOrigin]
OVERLAP_POLICY_UNSPECIFIED: OverlapPolicy
OVERLAP_POLICY_SKIP: OverlapPolicy
OVERLAP_POLICY_ALLOW: OverlapPolicy
OVERLAP_POLICY_BUFFER_ONE: OverlapPolicy
OVERLAP_POLICY_CANCEL_RUNNING: OverlapPolicy
OCCURRENCE_OUTCOME_UNSPECIFIED: OccurrenceOutcome
OCCURRENCE_OUTCOME_SCHEDULED: OccurrenceOutcome
OCCURRENCE_OUTCOME_FIRED: OccurrenceOutcome
OCCURRENCE_OUTCOME_CAUGHT_UP: OccurrenceOutcome
OCCURRENCE_OUTCOME_MERGED: OccurrenceOutcome
OCCURRENCE_OUTCOME_SKIPPED: OccurrenceOutcome
OCCURRENCE_OUTCOME_BLOCKED: OccurrenceOutcome
OCCURRENCE_ORIGIN_UNSPECIFIED: OccurrenceOrigin
OCCURRENCE_ORIGIN_RULE: OccurrenceOrigin
OCCURRENCE_ORIGIN_MANUAL: OccurrenceOrigin
OCCURRENCE_ORIGIN_BACKFILL: OccurrenceOrigin

class RunScheduleRequest(_message.Message):
    __slots__ = ("tenant_id", "schedule", "overlap_policy", "request_id")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_POLICY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedule: str
    overlap_policy: OverlapPolicy
    request_id: str
    def __init__(self, tenant_id: _Optional[str] = ..., schedule: _Optional[str] = ..., overlap_policy: _Optional[_Union[OverlapPolicy, str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class RunScheduleResponse(_message.Message):
    __slots__ = ("job_id", "state")
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    job_id: str
    state: _job_pb2.JobState
    def __init__(self, job_id: _Optional[str] = ..., state: _Optional[_Union[_job_pb2.JobState, str]] = ...) -> None: ...

class BackfillScheduleRequest(_message.Message):
    __slots__ = ("tenant_id", "schedule", "start_time", "end_time", "overlap_policy", "max_per_minute", "request_id", "validate_only")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_POLICY_FIELD_NUMBER: _ClassVar[int]
    MAX_PER_MINUTE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedule: str
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    overlap_policy: OverlapPolicy
    max_per_minute: int
    request_id: str
    validate_only: bool
    def __init__(self, tenant_id: _Optional[str] = ..., schedule: _Optional[str] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., overlap_policy: _Optional[_Union[OverlapPolicy, str]] = ..., max_per_minute: _Optional[int] = ..., request_id: _Optional[str] = ..., validate_only: bool = ...) -> None: ...

class BackfillScheduleResponse(_message.Message):
    __slots__ = ("jobs", "first_time", "last_time", "last_due_time")
    JOBS_FIELD_NUMBER: _ClassVar[int]
    FIRST_TIME_FIELD_NUMBER: _ClassVar[int]
    LAST_TIME_FIELD_NUMBER: _ClassVar[int]
    LAST_DUE_TIME_FIELD_NUMBER: _ClassVar[int]
    jobs: int
    first_time: _timestamp_pb2.Timestamp
    last_time: _timestamp_pb2.Timestamp
    last_due_time: _timestamp_pb2.Timestamp
    def __init__(self, jobs: _Optional[int] = ..., first_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_due_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Occurrence(_message.Message):
    __slots__ = ("nominal_time", "effective_time", "outcome", "reason", "job_id", "lateness", "origin", "revision")
    NOMINAL_TIME_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_TIME_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    LATENESS_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    nominal_time: _timestamp_pb2.Timestamp
    effective_time: _timestamp_pb2.Timestamp
    outcome: OccurrenceOutcome
    reason: str
    job_id: str
    lateness: _duration_pb2.Duration
    origin: OccurrenceOrigin
    revision: int
    def __init__(self, nominal_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., effective_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., outcome: _Optional[_Union[OccurrenceOutcome, str]] = ..., reason: _Optional[str] = ..., job_id: _Optional[str] = ..., lateness: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., origin: _Optional[_Union[OccurrenceOrigin, str]] = ..., revision: _Optional[int] = ...) -> None: ...

class ListOccurrencesRequest(_message.Message):
    __slots__ = ("tenant_id", "schedule", "start_time", "end_time", "outcomes", "page_size", "page_token", "origin")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    SCHEDULE_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    schedule: str
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    outcomes: _containers.RepeatedScalarFieldContainer[OccurrenceOutcome]
    page_size: int
    page_token: str
    origin: OccurrenceOrigin
    def __init__(self, tenant_id: _Optional[str] = ..., schedule: _Optional[str] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., outcomes: _Optional[_Iterable[_Union[OccurrenceOutcome, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., origin: _Optional[_Union[OccurrenceOrigin, str]] = ...) -> None: ...

class ListOccurrencesResponse(_message.Message):
    __slots__ = ("occurrences", "next_page_token")
    OCCURRENCES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    occurrences: _containers.RepeatedCompositeFieldContainer[Occurrence]
    next_page_token: str
    def __init__(self, occurrences: _Optional[_Iterable[_Union[Occurrence, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
