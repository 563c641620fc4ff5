import datetime

from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetForecastRequest(_message.Message):
    __slots__ = ("tenant_id", "minutes")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    MINUTES_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    minutes: int
    def __init__(self, tenant_id: _Optional[str] = ..., minutes: _Optional[int] = ...) -> None: ...

class GetForecastResponse(_message.Message):
    __slots__ = ("minutes", "complete")
    MINUTES_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    minutes: _containers.RepeatedCompositeFieldContainer[ForecastMinute]
    complete: bool
    def __init__(self, minutes: _Optional[_Iterable[_Union[ForecastMinute, _Mapping]]] = ..., complete: bool = ...) -> None: ...

class ForecastMinute(_message.Message):
    __slots__ = ("time", "scheduled_jobs", "waiting_jobs")
    TIME_FIELD_NUMBER: _ClassVar[int]
    SCHEDULED_JOBS_FIELD_NUMBER: _ClassVar[int]
    WAITING_JOBS_FIELD_NUMBER: _ClassVar[int]
    time: _timestamp_pb2.Timestamp
    scheduled_jobs: int
    waiting_jobs: int
    def __init__(self, time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., scheduled_jobs: _Optional[int] = ..., waiting_jobs: _Optional[int] = ...) -> None: ...
