// One job's life through the Connect protocol: create, repeat the create, lease, heartbeat, complete, read back; and what
// errors look like. Exits 0 and prints the job's id if everything is as the API's comments say.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";

import { fromJson, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { durationFromMs, timestampDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

import { ErrorReason } from "./gen/belfry/v1/errors_pb.js";
import { AttemptOutcome, type CreateJobRequestSchema, JobService, JobState, JobView } from "./gen/belfry/v1/job_pb.js";
import { WorkerService } from "./gen/belfry/v1/worker_pb.js";
import { reasonOf, violationsOf } from "./error_details.js";

function setting(name: string): string {
  const value = process.env[name];
  assert.ok(value, `set ${name}`);
  return value;
}

const queue = setting("BELFRY_QUEUE");
const authorize: Interceptor = (next) => (request) => {
  request.header.set("Authorization", `Bearer ${setting("BELFRY_API_KEY")}`);
  return next(request);
};
const transport = createConnectTransport({
  baseUrl: `http://${setting("BELFRY_ADDRESS")}`,
  httpVersion: "1.1",
  useBinaryFormat: setting("BELFRY_FORMAT") === "binary",
  interceptors: [authorize],
});
const jobs = createClient(JobService, transport);
const workers = createClient(WorkerService, transport);

// refused returns the error of a call that must fail.
async function refused(call: Promise<unknown>, code: Code): Promise<ConnectError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof ConnectError, String(error));
    assert.equal(error.code, code, error.message);
    return error;
  }
  assert.fail(`the call went well; want ${Code[code]}`);
}

const payload = { greeting: "grüß dich", count: 3, nested: { list: [1, null, true] } };
const requestId = randomUUID();

// newJob returns the one request of this program, for a job of the given type.
function newJob(jobType: string): MessageInitShape<typeof CreateJobRequestSchema> {
  return {
    requestId,
    job: {
      queue,
      jobType,
      payload: { data: { case: "json", value: fromJson(ValueSchema, payload) } },
      headers: { locale: "de" },
      when: { case: "delay", value: durationFromMs(20) },
    },
  };
}

// jobsLife takes one job from its creation to its end and returns its id.
async function jobsLife(): Promise<string> {
  const created = await jobs.createJob(newJob("greet"));
  const jobId = created.job?.jobId ?? "";
  assert.match(jobId, /^job_[0-9a-z]{26}$/i);
  assert.equal(created.existing, false);
  const repeated = await jobs.createJob(newJob("greet"));
  assert.equal(repeated.existing, true, "a repeated create must answer the first job");
  assert.equal(repeated.job?.jobId, jobId);

  const { jobs: leased } = await workers.leaseJobs({
    queues: [queue], jobTypes: ["greet"], maxJobs: 10, wait: durationFromMs(10_000), leaseDuration: durationFromMs(30_000), workerId: "ts",
  });
  assert.equal(leased.length, 1);
  const [lease] = leased;
  assert.ok(lease?.job);
  assert.equal(lease.job.jobId, jobId);
  assert.equal(lease.attempt, 1);
  assert.equal(lease.job.headers.locale, "de");
  assert.ok(lease.job.payload?.data.case === "json");
  assert.deepEqual(toJson(ValueSchema, lease.job.payload.data.value), payload);
  assert.ok(lease.job.startTime && lease.job.dueTime);
  assert.ok(timestampDate(lease.job.startTime) >= timestampDate(lease.job.dueTime), "started early");
  assert.equal(typeof lease.fencingToken, "bigint");

  const beat = await workers.heartbeat({ workerId: "ts", items: [{ leaseToken: lease.leaseToken }] });
  assert.equal(beat.results[0]?.error, undefined);
  assert.ok((beat.results[0]?.leaseRemaining?.seconds ?? 0n) > 20n, "the heartbeat must extend the lease");

  const final = { items: [{ leaseToken: lease.leaseToken, result: { data: { case: "text" as const, value: "done ✓" } } }] };
  for (const call of ["first", "repeated"]) {
    const { results } = await workers.completeJobs(final);
    assert.equal(results[0]?.error, undefined, `${call} complete`);
    assert.equal(results[0]?.state, JobState.SUCCEEDED);
  }
  const late = await workers.heartbeat({ workerId: "ts", items: [{ leaseToken: lease.leaseToken }] });
  assert.equal(late.results[0]?.error?.reason, ErrorReason.LEASE_LOST);
  assert.equal(late.results[0]?.error?.code, "failed_precondition");

  const { job } = await jobs.getJob({ jobId, view: JobView.FULL });
  assert.equal(job?.state, JobState.SUCCEEDED);
  assert.equal(job.result?.data.value, "done ✓");
  assert.deepEqual(job.attempts.map((attempt) => attempt.outcome), [AttemptOutcome.SUCCEEDED]);
  return jobId;
}

async function errors(): Promise<void> {
  const invalid = await refused(jobs.createJob({ job: { queue, priority: 10 } }), Code.InvalidArgument);
  assert.equal(reasonOf(invalid), "belfry/INVALID_FIELD");
  assert.ok(violationsOf(invalid).get("job.priority"), `no violation of job.priority in ${invalid.message}`);

  const unknown = await refused(jobs.getJob({ jobId: "job_00000000000000000000000000" }), Code.NotFound);
  assert.equal(reasonOf(unknown), "belfry/JOB_NOT_FOUND");

  const reused = await refused(jobs.createJob(newJob("other")), Code.AlreadyExists);
  assert.equal(reasonOf(reused), "belfry/REQUEST_ID_REUSED");
}

const jobId = await jobsLife();
await errors();
console.log(jobId);
