"""One job's life over gRPC: create, repeat the create, lease, heartbeat, complete, read back; and what errors look like.

Exits 0 and prints the job's id if everything is as the API's comments say.
"""

import os
import uuid

import grpc
from google.protobuf import json_format
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from belfry.v1 import errors_pb2, job_pb2, job_pb2_grpc, payload_pb2, worker_pb2, worker_pb2_grpc

QUEUE = os.environ["BELFRY_QUEUE"]
KEY = [("authorization", "Bearer " + os.environ["BELFRY_API_KEY"])]
PAYLOAD = {"greeting": "grüß dich", "count": 3, "nested": {"list": [1, None, True]}}


def new_job(request_id, job_type):
    """The one request of this program, for a job of the given type."""
    payload = payload_pb2.Payload()
    json_format.ParseDict(PAYLOAD, payload.json)
    return job_pb2.CreateJobRequest(
        request_id=request_id,
        job=job_pb2.JobSpec(
            queue=QUEUE,
            job_type=job_type,
            payload=payload,
            headers={"locale": "de"},
            delay=Duration(nanos=20_000_000),
        ),
    )


def jobs_life(jobs, workers, request_id):
    """Takes one job from its creation to its end and returns its id."""
    created = jobs.CreateJob(new_job(request_id, "greet"), metadata=KEY)
    job_id = created.job.job_id
    assert job_id.startswith("job_") and not created.existing, created
    repeated = jobs.CreateJob(new_job(request_id, "greet"), metadata=KEY)
    assert repeated.existing and repeated.job.job_id == job_id, repeated

    leased = workers.LeaseJobs(
        worker_pb2.LeaseJobsRequest(
            queues=[QUEUE],
            job_types=["greet"],
            max_jobs=10,
            wait=Duration(seconds=10),
            lease_duration=Duration(seconds=30),
            worker_id="python",
        ),
        metadata=KEY,
    ).jobs
    assert len(leased) == 1, leased
    lease = leased[0]
    assert (lease.job.job_id, lease.attempt) == (job_id, 1), lease
    assert lease.job.headers["locale"] == "de", lease
    assert json_format.MessageToDict(lease.job.payload.json) == PAYLOAD, lease
    assert lease.job.start_time.ToNanoseconds() >= lease.job.due_time.ToNanoseconds(), "started early"
    assert lease.fencing_token > 0, lease

    item = worker_pb2.HeartbeatItem(lease_token=lease.lease_token)
    beat = worker_pb2.HeartbeatRequest(worker_id="python", items=[item])
    extended = workers.Heartbeat(beat, metadata=KEY).results[0]
    assert not extended.HasField("error") and extended.lease_remaining.seconds > 20, extended

    result = payload_pb2.Payload(text="done ✓")
    final = worker_pb2.CompleteJobsRequest(items=[worker_pb2.CompleteItem(lease_token=lease.lease_token, result=result)])
    for call in ("first", "repeated"):
        ended = workers.CompleteJobs(final, metadata=KEY).results[0]
        assert not ended.HasField("error") and ended.state == job_pb2.JOB_STATE_SUCCEEDED, (call, ended)
    late = workers.Heartbeat(beat, metadata=KEY).results[0]
    assert late.error.reason == errors_pb2.ERROR_REASON_LEASE_LOST, late
    assert late.error.code == "failed_precondition", late

    job = jobs.GetJob(job_pb2.GetJobRequest(job_id=job_id, view=job_pb2.JOB_VIEW_FULL), metadata=KEY).job
    assert job.state == job_pb2.JOB_STATE_SUCCEEDED, job
    assert job.result.text == "done ✓", job
    assert [attempt.outcome for attempt in job.attempts] == [job_pb2.ATTEMPT_OUTCOME_SUCCEEDED], job
    return job_id


def refused(call, request, code):
    """Returns the reason and the field violations of a call that must fail."""
    try:
        call(request, metadata=KEY)
    except grpc.RpcError as error:
        assert error.code() == code, error
        reason, fields = "", {}
        for detail in rpc_status.from_call(error).details:
            if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
                info = error_details_pb2.ErrorInfo()
                detail.Unpack(info)
                reason = f"{info.domain}/{info.reason}"
            if detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
                bad = error_details_pb2.BadRequest()
                detail.Unpack(bad)
                fields = {violation.field: violation.description for violation in bad.field_violations}
        return reason, fields
    raise AssertionError(f"the call went well; want {code}")


def errors(jobs, request_id):
    """Looks at the errors that a client meets first."""
    bad = job_pb2.CreateJobRequest(job=job_pb2.JobSpec(queue=QUEUE, priority=10))
    reason, fields = refused(jobs.CreateJob, bad, grpc.StatusCode.INVALID_ARGUMENT)
    assert reason == "belfry/INVALID_FIELD" and fields.get("job.priority"), (reason, fields)

    unknown = job_pb2.GetJobRequest(job_id="job_00000000000000000000000000")
    reason, _ = refused(jobs.GetJob, unknown, grpc.StatusCode.NOT_FOUND)
    assert reason == "belfry/JOB_NOT_FOUND", reason

    reason, _ = refused(jobs.CreateJob, new_job(request_id, "other"), grpc.StatusCode.ALREADY_EXISTS)
    assert reason == "belfry/REQUEST_ID_REUSED", reason


def main():
    request_id = str(uuid.uuid4())
    with grpc.insecure_channel(os.environ["BELFRY_ADDRESS"]) as channel:
        jobs = job_pb2_grpc.JobServiceStub(channel)
        workers = worker_pb2_grpc.WorkerServiceStub(channel)
        job_id = jobs_life(jobs, workers, request_id)
        errors(jobs, request_id)
    print(job_id)


if __name__ == "__main__":
    main()
