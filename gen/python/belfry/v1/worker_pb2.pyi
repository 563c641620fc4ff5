import datetime

from belfry.v1 import errors_pb2 as _errors_pb2
from belfry.v1 import job_pb2 as _job_pb2
from belfry.v1 import payload_pb2 as _payload_pb2
from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ItemError(_message.Message):
    __slots__ = ("code", "reason", "message")
    CODE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    code: str
    reason: _errors_pb2.ErrorReason
    message: str
    def __init__(self, code: _Optional[str] = ..., reason: _Optional[_Union[_errors_pb2.ErrorReason, str]] = ..., message: _Optional[str] = ...) -> None: ...

class LeaseJobsRequest(_message.Message):
    __slots__ = ("tenant_id", "queues", "job_types", "max_jobs", "max_bytes", "wait", "lease_duration", "worker_id")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    QUEUES_FIELD_NUMBER: _ClassVar[int]
    JOB_TYPES_FIELD_NUMBER: _ClassVar[int]
    MAX_JOBS_FIELD_NUMBER: _ClassVar[int]
    MAX_BYTES_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    LEASE_DURATION_FIELD_NUMBER: _ClassVar[int]
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    queues: _containers.RepeatedScalarFieldContainer[str]
    job_types: _containers.RepeatedScalarFieldContainer[str]
    max_jobs: int
    max_bytes: int
    wait: _duration_pb2.Duration
    lease_duration: _duration_pb2.Duration
    worker_id: str
    def __init__(self, tenant_id: _Optional[str] = ..., queues: _Optional[_Iterable[str]] = ..., job_types: _Optional[_Iterable[str]] = ..., max_jobs: _Optional[int] = ..., max_bytes: _Optional[int] = ..., wait: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., lease_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., worker_id: _Optional[str] = ...) -> None: ...

class LeaseJobsResponse(_message.Message):
    __slots__ = ("jobs",)
    JOBS_FIELD_NUMBER: _ClassVar[int]
    jobs: _containers.RepeatedCompositeFieldContainer[LeasedJob]
    def __init__(self, jobs: _Optional[_Iterable[_Union[LeasedJob, _Mapping]]] = ...) -> None: ...

class LeasedJob(_message.Message):
    __slots__ = ("job", "lease_token", "fencing_token", "attempt", "lease_expire_time", "lease_remaining", "attempt_remaining")
    JOB_FIELD_NUMBER: _ClassVar[int]
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    FENCING_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    LEASE_EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    LEASE_REMAINING_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_REMAINING_FIELD_NUMBER: _ClassVar[int]
    job: _job_pb2.Job
    lease_token: str
    fencing_token: int
    attempt: int
    lease_expire_time: _timestamp_pb2.Timestamp
    lease_remaining: _duration_pb2.Duration
    attempt_remaining: _duration_pb2.Duration
    def __init__(self, job: _Optional[_Union[_job_pb2.Job, _Mapping]] = ..., lease_token: _Optional[str] = ..., fencing_token: _Optional[int] = ..., attempt: _Optional[int] = ..., lease_expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., lease_remaining: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., attempt_remaining: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class HeartbeatRequest(_message.Message):
    __slots__ = ("tenant_id", "worker_id", "items")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    worker_id: str
    items: _containers.RepeatedCompositeFieldContainer[HeartbeatItem]
    def __init__(self, tenant_id: _Optional[str] = ..., worker_id: _Optional[str] = ..., items: _Optional[_Iterable[_Union[HeartbeatItem, _Mapping]]] = ...) -> None: ...

class HeartbeatItem(_message.Message):
    __slots__ = ("lease_token", "lease_duration")
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    LEASE_DURATION_FIELD_NUMBER: _ClassVar[int]
    lease_token: str
    lease_duration: _duration_pb2.Duration
    def __init__(self, lease_token: _Optional[str] = ..., lease_duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class HeartbeatResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[HeartbeatResult]
    def __init__(self, results: _Optional[_Iterable[_Union[HeartbeatResult, _Mapping]]] = ...) -> None: ...

class HeartbeatResult(_message.Message):
    __slots__ = ("error", "lease_remaining", "cancel_requested", "cancel_reason")
    ERROR_FIELD_NUMBER: _ClassVar[int]
    LEASE_REMAINING_FIELD_NUMBER: _ClassVar[int]
    CANCEL_REQUESTED_FIELD_NUMBER: _ClassVar[int]
    CANCEL_REASON_FIELD_NUMBER: _ClassVar[int]
    error: ItemError
    lease_remaining: _duration_pb2.Duration
    cancel_requested: bool
    cancel_reason: str
    def __init__(self, error: _Optional[_Union[ItemError, _Mapping]] = ..., lease_remaining: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., cancel_requested: bool = ..., cancel_reason: _Optional[str] = ...) -> None: ...

class CompleteJobsRequest(_message.Message):
    __slots__ = ("tenant_id", "items")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    items: _containers.RepeatedCompositeFieldContainer[CompleteItem]
    def __init__(self, tenant_id: _Optional[str] = ..., items: _Optional[_Iterable[_Union[CompleteItem, _Mapping]]] = ...) -> None: ...

class CompleteItem(_message.Message):
    __slots__ = ("lease_token", "result")
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    lease_token: str
    result: _payload_pb2.Payload
    def __init__(self, lease_token: _Optional[str] = ..., result: _Optional[_Union[_payload_pb2.Payload, _Mapping]] = ...) -> None: ...

class CompleteJobsResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[FinishResult]
    def __init__(self, results: _Optional[_Iterable[_Union[FinishResult, _Mapping]]] = ...) -> None: ...

class FinishResult(_message.Message):
    __slots__ = ("error", "job_id", "state", "due_time")
    ERROR_FIELD_NUMBER: _ClassVar[int]
    JOB_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    DUE_TIME_FIELD_NUMBER: _ClassVar[int]
    error: ItemError
    job_id: str
    state: _job_pb2.JobState
    due_time: _timestamp_pb2.Timestamp
    def __init__(self, error: _Optional[_Union[ItemError, _Mapping]] = ..., job_id: _Optional[str] = ..., state: _Optional[_Union[_job_pb2.JobState, str]] = ..., due_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class FailJobsRequest(_message.Message):
    __slots__ = ("tenant_id", "items")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    items: _containers.RepeatedCompositeFieldContainer[FailItem]
    def __init__(self, tenant_id: _Optional[str] = ..., items: _Optional[_Iterable[_Union[FailItem, _Mapping]]] = ...) -> None: ...

class FailItem(_message.Message):
    __slots__ = ("lease_token", "error", "permanent", "retry_after")
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    PERMANENT_FIELD_NUMBER: _ClassVar[int]
    RETRY_AFTER_FIELD_NUMBER: _ClassVar[int]
    lease_token: str
    error: str
    permanent: bool
    retry_after: _duration_pb2.Duration
    def __init__(self, lease_token: _Optional[str] = ..., error: _Optional[str] = ..., permanent: bool = ..., retry_after: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class FailJobsResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[FinishResult]
    def __init__(self, results: _Optional[_Iterable[_Union[FinishResult, _Mapping]]] = ...) -> None: ...

class ReleaseJobsRequest(_message.Message):
    __slots__ = ("tenant_id", "items")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    items: _containers.RepeatedCompositeFieldContainer[ReleaseItem]
    def __init__(self, tenant_id: _Optional[str] = ..., items: _Optional[_Iterable[_Union[ReleaseItem, _Mapping]]] = ...) -> None: ...

class ReleaseItem(_message.Message):
    __slots__ = ("lease_token", "delay", "reason")
    LEASE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DELAY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    lease_token: str
    delay: _duration_pb2.Duration
    reason: str
    def __init__(self, lease_token: _Optional[str] = ..., delay: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class ReleaseJobsResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[FinishResult]
    def __init__(self, results: _Optional[_Iterable[_Union[FinishResult, _Mapping]]] = ...) -> None: ...

class Worker(_message.Message):
    __slots__ = ("tenant_id", "worker_id", "queues", "job_types", "last_seen_time", "leases")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    WORKER_ID_FIELD_NUMBER: _ClassVar[int]
    QUEUES_FIELD_NUMBER: _ClassVar[int]
    JOB_TYPES_FIELD_NUMBER: _ClassVar[int]
    LAST_SEEN_TIME_FIELD_NUMBER: _ClassVar[int]
    LEASES_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    worker_id: str
    queues: _containers.RepeatedScalarFieldContainer[str]
    job_types: _containers.RepeatedScalarFieldContainer[str]
    last_seen_time: _timestamp_pb2.Timestamp
    leases: int
    def __init__(self, tenant_id: _Optional[str] = ..., worker_id: _Optional[str] = ..., queues: _Optional[_Iterable[str]] = ..., job_types: _Optional[_Iterable[str]] = ..., last_seen_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., leases: _Optional[int] = ...) -> None: ...

class ListWorkersRequest(_message.Message):
    __slots__ = ("tenant_id", "page_size", "page_token")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    page_size: int
    page_token: str
    def __init__(self, tenant_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListWorkersResponse(_message.Message):
    __slots__ = ("workers", "next_page_token")
    WORKERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    workers: _containers.RepeatedCompositeFieldContainer[Worker]
    next_page_token: str
    def __init__(self, workers: _Optional[_Iterable[_Union[Worker, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
