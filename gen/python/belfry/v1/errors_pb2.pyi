from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class ErrorReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_REASON_UNSPECIFIED: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_FIELD: _ClassVar[ErrorReason]
    ERROR_REASON_JOB_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_QUEUE_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_TENANT_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_API_KEY_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_SCHEDULE_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_ALREADY_EXISTS: _ClassVar[ErrorReason]
    ERROR_REASON_REQUEST_ID_REUSED: _ClassVar[ErrorReason]
    ERROR_REASON_LEASE_LOST: _ClassVar[ErrorReason]
    ERROR_REASON_JOB_FINISHED: _ClassVar[ErrorReason]
    ERROR_REASON_ETAG_MISMATCH: _ClassVar[ErrorReason]
    ERROR_REASON_IN_USE: _ClassVar[ErrorReason]
    ERROR_REASON_DELETION_PROTECTED: _ClassVar[ErrorReason]
    ERROR_REASON_KEY_INVALID: _ClassVar[ErrorReason]
    ERROR_REASON_KEY_SCOPE: _ClassVar[ErrorReason]
    ERROR_REASON_LIMIT_REACHED: _ClassVar[ErrorReason]
    ERROR_REASON_DATABASE_UNAVAILABLE: _ClassVar[ErrorReason]
    ERROR_REASON_NOT_READY: _ClassVar[ErrorReason]
    ERROR_REASON_DEADLINE: _ClassVar[ErrorReason]
    ERROR_REASON_INTERNAL: _ClassVar[ErrorReason]
    ERROR_REASON_SCHEDULE_RUNNING: _ClassVar[ErrorReason]
    ERROR_REASON_CALENDAR_NOT_FOUND: _ClassVar[ErrorReason]
    ERROR_REASON_CALENDAR_IN_USE: _ClassVar[ErrorReason]
ERROR_REASON_UNSPECIFIED: ErrorReason
ERROR_REASON_INVALID_FIELD: ErrorReason
ERROR_REASON_JOB_NOT_FOUND: ErrorReason
ERROR_REASON_QUEUE_NOT_FOUND: ErrorReason
ERROR_REASON_TENANT_NOT_FOUND: ErrorReason
ERROR_REASON_API_KEY_NOT_FOUND: ErrorReason
ERROR_REASON_SCHEDULE_NOT_FOUND: ErrorReason
ERROR_REASON_ALREADY_EXISTS: ErrorReason
ERROR_REASON_REQUEST_ID_REUSED: ErrorReason
ERROR_REASON_LEASE_LOST: ErrorReason
ERROR_REASON_JOB_FINISHED: ErrorReason
ERROR_REASON_ETAG_MISMATCH: ErrorReason
ERROR_REASON_IN_USE: ErrorReason
ERROR_REASON_DELETION_PROTECTED: ErrorReason
ERROR_REASON_KEY_INVALID: ErrorReason
ERROR_REASON_KEY_SCOPE: ErrorReason
ERROR_REASON_LIMIT_REACHED: ErrorReason
ERROR_REASON_DATABASE_UNAVAILABLE: ErrorReason
ERROR_REASON_NOT_READY: ErrorReason
ERROR_REASON_DEADLINE: ErrorReason
ERROR_REASON_INTERNAL: ErrorReason
ERROR_REASON_SCHEDULE_RUNNING: ErrorReason
ERROR_REASON_CALENDAR_NOT_FOUND: ErrorReason
ERROR_REASON_CALENDAR_IN_USE: ErrorReason
