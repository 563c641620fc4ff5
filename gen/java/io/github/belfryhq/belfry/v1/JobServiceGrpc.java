package io.github.belfryhq.belfry.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * JobService creates jobs and looks after them. All methods need a tenant key, or a platform key and `tenant_id`.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class JobServiceGrpc {

  private JobServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "belfry.v1.JobService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateJobRequest,
      io.github.belfryhq.belfry.v1.CreateJobResponse> getCreateJobMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateJob",
      requestType = io.github.belfryhq.belfry.v1.CreateJobRequest.class,
      responseType = io.github.belfryhq.belfry.v1.CreateJobResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateJobRequest,
      io.github.belfryhq.belfry.v1.CreateJobResponse> getCreateJobMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateJobRequest, io.github.belfryhq.belfry.v1.CreateJobResponse> getCreateJobMethod;
    if ((getCreateJobMethod = JobServiceGrpc.getCreateJobMethod) == null) {
      synchronized (JobServiceGrpc.class) {
        if ((getCreateJobMethod = JobServiceGrpc.getCreateJobMethod) == null) {
          JobServiceGrpc.getCreateJobMethod = getCreateJobMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.CreateJobRequest, io.github.belfryhq.belfry.v1.CreateJobResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateJob"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateJobRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateJobResponse.getDefaultInstance()))
              .setSchemaDescriptor(new JobServiceMethodDescriptorSupplier("CreateJob"))
              .build();
        }
      }
    }
    return getCreateJobMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.BatchCreateJobsRequest,
      io.github.belfryhq.belfry.v1.BatchCreateJobsResponse> getBatchCreateJobsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BatchCreateJobs",
      requestType = io.github.belfryhq.belfry.v1.BatchCreateJobsRequest.class,
      responseType = io.github.belfryhq.belfry.v1.BatchCreateJobsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.BatchCreateJobsRequest,
      io.github.belfryhq.belfry.v1.BatchCreateJobsResponse> getBatchCreateJobsMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.BatchCreateJobsRequest, io.github.belfryhq.belfry.v1.BatchCreateJobsResponse> getBatchCreateJobsMethod;
    if ((getBatchCreateJobsMethod = JobServiceGrpc.getBatchCreateJobsMethod) == null) {
      synchronized (JobServiceGrpc.class) {
        if ((getBatchCreateJobsMethod = JobServiceGrpc.getBatchCreateJobsMethod) == null) {
          JobServiceGrpc.getBatchCreateJobsMethod = getBatchCreateJobsMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.BatchCreateJobsRequest, io.github.belfryhq.belfry.v1.BatchCreateJobsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BatchCreateJobs"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.BatchCreateJobsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.BatchCreateJobsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new JobServiceMethodDescriptorSupplier("BatchCreateJobs"))
              .build();
        }
      }
    }
    return getBatchCreateJobsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetJobRequest,
      io.github.belfryhq.belfry.v1.GetJobResponse> getGetJobMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetJob",
      requestType = io.github.belfryhq.belfry.v1.GetJobRequest.class,
      responseType = io.github.belfryhq.belfry.v1.GetJobResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetJobRequest,
      io.github.belfryhq.belfry.v1.GetJobResponse> getGetJobMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetJobRequest, io.github.belfryhq.belfry.v1.GetJobResponse> getGetJobMethod;
    if ((getGetJobMethod = JobServiceGrpc.getGetJobMethod) == null) {
      synchronized (JobServiceGrpc.class) {
        if ((getGetJobMethod = JobServiceGrpc.getGetJobMethod) == null) {
          JobServiceGrpc.getGetJobMethod = getGetJobMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.GetJobRequest, io.github.belfryhq.belfry.v1.GetJobResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetJob"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetJobRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetJobResponse.getDefaultInstance()))
              .setSchemaDescriptor(new JobServiceMethodDescriptorSupplier("GetJob"))
              .build();
        }
      }
    }
    return getGetJobMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListJobsRequest,
      io.github.belfryhq.belfry.v1.ListJobsResponse> getListJobsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListJobs",
      requestType = io.github.belfryhq.belfry.v1.ListJobsRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ListJobsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListJobsRequest,
      io.github.belfryhq.belfry.v1.ListJobsResponse> getListJobsMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListJobsRequest, io.github.belfryhq.belfry.v1.ListJobsResponse> getListJobsMethod;
    if ((getListJobsMethod = JobServiceGrpc.getListJobsMethod) == null) {
      synchronized (JobServiceGrpc.class) {
        if ((getListJobsMethod = JobServiceGrpc.getListJobsMethod) == null) {
          JobServiceGrpc.getListJobsMethod = getListJobsMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ListJobsRequest, io.github.belfryhq.belfry.v1.ListJobsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListJobs"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListJobsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListJobsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new JobServiceMethodDescriptorSupplier("ListJobs"))
              .build();
        }
      }
    }
    return getListJobsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CancelJobRequest,
      io.github.belfryhq.belfry.v1.CancelJobResponse> getCancelJobMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CancelJob",
      requestType = io.github.belfryhq.belfry.v1.CancelJobRequest.class,
      responseType = io.github.belfryhq.belfry.v1.CancelJobResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CancelJobRequest,
      io.github.belfryhq.belfry.v1.CancelJobResponse> getCancelJobMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CancelJobRequest, io.github.belfryhq.belfry.v1.CancelJobResponse> getCancelJobMethod;
    if ((getCancelJobMethod = JobServiceGrpc.getCancelJobMethod) == null) {
      synchronized (JobServiceGrpc.class) {
        if ((getCancelJobMethod = JobServiceGrpc.getCancelJobMethod) == null) {
          JobServiceGrpc.getCancelJobMethod = getCancelJobMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.CancelJobRequest, io.github.belfryhq.belfry.v1.CancelJobResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CancelJob"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CancelJobRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CancelJobResponse.getDefaultInstance()))
              .setSchemaDescriptor(new JobServiceMethodDescriptorSupplier("CancelJob"))
              .build();
        }
      }
    }
    return getCancelJobMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static JobServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<JobServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<JobServiceStub>() {
        @java.lang.Override
        public JobServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new JobServiceStub(channel, callOptions);
        }
      };
    return JobServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static JobServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<JobServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<JobServiceBlockingV2Stub>() {
        @java.lang.Override
        public JobServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new JobServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return JobServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static JobServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<JobServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<JobServiceBlockingStub>() {
        @java.lang.Override
        public JobServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new JobServiceBlockingStub(channel, callOptions);
        }
      };
    return JobServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static JobServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<JobServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<JobServiceFutureStub>() {
        @java.lang.Override
        public JobServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new JobServiceFutureStub(channel, callOptions);
        }
      };
    return JobServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * JobService creates jobs and looks after them. All methods need a tenant key, or a platform key and `tenant_id`.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * CreateJob stores one job durably before it answers. With a `request_id` a repeated call within 24 hours answers the
     * job of the first one and creates nothing; the same id with another body is ALREADY_EXISTS (REQUEST_ID_REUSED).
     * Errors: INVALID_ARGUMENT; NOT_FOUND (QUEUE_NOT_FOUND); RESOURCE_EXHAUSTED; UNAVAILABLE (retry with the same
     * request_id: without one the job may exist).
     * </pre>
     */
    default void createJob(io.github.belfryhq.belfry.v1.CreateJobRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateJobResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateJobMethod(), responseObserver);
    }

    /**
     * <pre>
     * BatchCreateJobs stores up to 1,000 jobs in one transaction: all, or none. Invalid items are named by their index in
     * the error's field violations (`jobs[3].payload`).
     * </pre>
     */
    default void batchCreateJobs(io.github.belfryhq.belfry.v1.BatchCreateJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.BatchCreateJobsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBatchCreateJobsMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetJob answers a job in any state, as long as its history is retained. NOT_FOUND otherwise.
     * </pre>
     */
    default void getJob(io.github.belfryhq.belfry.v1.GetJobRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetJobResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetJobMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListJobs lists live and finished jobs of one tenant, newest first (by job id, which sorts by creation time), without
     * payloads, headers, results and attempts. Paging is stable: what existed at the first page comes exactly once unless
     * its history expires meanwhile.
     * </pre>
     */
    default void listJobs(io.github.belfryhq.belfry.v1.ListJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListJobsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListJobsMethod(), responseObserver);
    }

    /**
     * <pre>
     * CancelJob ends a waiting job at once. For a running one it asks the worker through the answer to its next heartbeat;
     * if the worker has not ended the attempt 30 seconds later, the lease is revoked and the job is CANCELLED. Repeating the
     * call changes nothing. FAILED_PRECONDITION (JOB_FINISHED) if the job ended in another way before.
     * </pre>
     */
    default void cancelJob(io.github.belfryhq.belfry.v1.CancelJobRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CancelJobResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCancelJobMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service JobService.
   * <pre>
   * JobService creates jobs and looks after them. All methods need a tenant key, or a platform key and `tenant_id`.
   * </pre>
   */
  public static abstract class JobServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return JobServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service JobService.
   * <pre>
   * JobService creates jobs and looks after them. All methods need a tenant key, or a platform key and `tenant_id`.
   * </pre>
   */
  public static final class JobServiceStub
      extends io.grpc.stub.AbstractAsyncStub<JobServiceStub> {
    private JobServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected JobServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new JobServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateJob stores one job durably before it answers. With a `request_id` a repeated call within 24 hours answers the
     * job of the first one and creates nothing; the same id with another body is ALREADY_EXISTS (REQUEST_ID_REUSED).
     * Errors: INVALID_ARGUMENT; NOT_FOUND (QUEUE_NOT_FOUND); RESOURCE_EXHAUSTED; UNAVAILABLE (retry with the same
     * request_id: without one the job may exist).
     * </pre>
     */
    public void createJob(io.github.belfryhq.belfry.v1.CreateJobRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateJobResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateJobMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * BatchCreateJobs stores up to 1,000 jobs in one transaction: all, or none. Invalid items are named by their index in
     * the error's field violations (`jobs[3].payload`).
     * </pre>
     */
    public void batchCreateJobs(io.github.belfryhq.belfry.v1.BatchCreateJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.BatchCreateJobsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBatchCreateJobsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetJob answers a job in any state, as long as its history is retained. NOT_FOUND otherwise.
     * </pre>
     */
    public void getJob(io.github.belfryhq.belfry.v1.GetJobRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetJobResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetJobMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListJobs lists live and finished jobs of one tenant, newest first (by job id, which sorts by creation time), without
     * payloads, headers, results and attempts. Paging is stable: what existed at the first page comes exactly once unless
     * its history expires meanwhile.
     * </pre>
     */
    public void listJobs(io.github.belfryhq.belfry.v1.ListJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListJobsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListJobsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * CancelJob ends a waiting job at once. For a running one it asks the worker through the answer to its next heartbeat;
     * if the worker has not ended the attempt 30 seconds later, the lease is revoked and the job is CANCELLED. Repeating the
     * call changes nothing. FAILED_PRECONDITION (JOB_FINISHED) if the job ended in another way before.
     * </pre>
     */
    public void cancelJob(io.github.belfryhq.belfry.v1.CancelJobRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CancelJobResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCancelJobMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service JobService.
   * <pre>
   * JobService creates jobs and looks after them. All methods need a tenant key, or a platform key and `tenant_id`.
   * </pre>
   */
  public static final class JobServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<JobServiceBlockingV2Stub> {
    private JobServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected JobServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new JobServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateJob stores one job durably before it answers. With a `request_id` a repeated call within 24 hours answers the
     * job of the first one and creates nothing; the same id with another body is ALREADY_EXISTS (REQUEST_ID_REUSED).
     * Errors: INVALID_ARGUMENT; NOT_FOUND (QUEUE_NOT_FOUND); RESOURCE_EXHAUSTED; UNAVAILABLE (retry with the same
     * request_id: without one the job may exist).
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateJobResponse createJob(io.github.belfryhq.belfry.v1.CreateJobRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateJobMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * BatchCreateJobs stores up to 1,000 jobs in one transaction: all, or none. Invalid items are named by their index in
     * the error's field violations (`jobs[3].payload`).
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.BatchCreateJobsResponse batchCreateJobs(io.github.belfryhq.belfry.v1.BatchCreateJobsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBatchCreateJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetJob answers a job in any state, as long as its history is retained. NOT_FOUND otherwise.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetJobResponse getJob(io.github.belfryhq.belfry.v1.GetJobRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetJobMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListJobs lists live and finished jobs of one tenant, newest first (by job id, which sorts by creation time), without
     * payloads, headers, results and attempts. Paging is stable: what existed at the first page comes exactly once unless
     * its history expires meanwhile.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListJobsResponse listJobs(io.github.belfryhq.belfry.v1.ListJobsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CancelJob ends a waiting job at once. For a running one it asks the worker through the answer to its next heartbeat;
     * if the worker has not ended the attempt 30 seconds later, the lease is revoked and the job is CANCELLED. Repeating the
     * call changes nothing. FAILED_PRECONDITION (JOB_FINISHED) if the job ended in another way before.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CancelJobResponse cancelJob(io.github.belfryhq.belfry.v1.CancelJobRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCancelJobMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service JobService.
   * <pre>
   * JobService creates jobs and looks after them. All methods need a tenant key, or a platform key and `tenant_id`.
   * </pre>
   */
  public static final class JobServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<JobServiceBlockingStub> {
    private JobServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected JobServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new JobServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateJob stores one job durably before it answers. With a `request_id` a repeated call within 24 hours answers the
     * job of the first one and creates nothing; the same id with another body is ALREADY_EXISTS (REQUEST_ID_REUSED).
     * Errors: INVALID_ARGUMENT; NOT_FOUND (QUEUE_NOT_FOUND); RESOURCE_EXHAUSTED; UNAVAILABLE (retry with the same
     * request_id: without one the job may exist).
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateJobResponse createJob(io.github.belfryhq.belfry.v1.CreateJobRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateJobMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * BatchCreateJobs stores up to 1,000 jobs in one transaction: all, or none. Invalid items are named by their index in
     * the error's field violations (`jobs[3].payload`).
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.BatchCreateJobsResponse batchCreateJobs(io.github.belfryhq.belfry.v1.BatchCreateJobsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBatchCreateJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetJob answers a job in any state, as long as its history is retained. NOT_FOUND otherwise.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetJobResponse getJob(io.github.belfryhq.belfry.v1.GetJobRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetJobMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListJobs lists live and finished jobs of one tenant, newest first (by job id, which sorts by creation time), without
     * payloads, headers, results and attempts. Paging is stable: what existed at the first page comes exactly once unless
     * its history expires meanwhile.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListJobsResponse listJobs(io.github.belfryhq.belfry.v1.ListJobsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CancelJob ends a waiting job at once. For a running one it asks the worker through the answer to its next heartbeat;
     * if the worker has not ended the attempt 30 seconds later, the lease is revoked and the job is CANCELLED. Repeating the
     * call changes nothing. FAILED_PRECONDITION (JOB_FINISHED) if the job ended in another way before.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CancelJobResponse cancelJob(io.github.belfryhq.belfry.v1.CancelJobRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCancelJobMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service JobService.
   * <pre>
   * JobService creates jobs and looks after them. All methods need a tenant key, or a platform key and `tenant_id`.
   * </pre>
   */
  public static final class JobServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<JobServiceFutureStub> {
    private JobServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected JobServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new JobServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateJob stores one job durably before it answers. With a `request_id` a repeated call within 24 hours answers the
     * job of the first one and creates nothing; the same id with another body is ALREADY_EXISTS (REQUEST_ID_REUSED).
     * Errors: INVALID_ARGUMENT; NOT_FOUND (QUEUE_NOT_FOUND); RESOURCE_EXHAUSTED; UNAVAILABLE (retry with the same
     * request_id: without one the job may exist).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.CreateJobResponse> createJob(
        io.github.belfryhq.belfry.v1.CreateJobRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateJobMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * BatchCreateJobs stores up to 1,000 jobs in one transaction: all, or none. Invalid items are named by their index in
     * the error's field violations (`jobs[3].payload`).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.BatchCreateJobsResponse> batchCreateJobs(
        io.github.belfryhq.belfry.v1.BatchCreateJobsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBatchCreateJobsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetJob answers a job in any state, as long as its history is retained. NOT_FOUND otherwise.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.GetJobResponse> getJob(
        io.github.belfryhq.belfry.v1.GetJobRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetJobMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListJobs lists live and finished jobs of one tenant, newest first (by job id, which sorts by creation time), without
     * payloads, headers, results and attempts. Paging is stable: what existed at the first page comes exactly once unless
     * its history expires meanwhile.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ListJobsResponse> listJobs(
        io.github.belfryhq.belfry.v1.ListJobsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListJobsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * CancelJob ends a waiting job at once. For a running one it asks the worker through the answer to its next heartbeat;
     * if the worker has not ended the attempt 30 seconds later, the lease is revoked and the job is CANCELLED. Repeating the
     * call changes nothing. FAILED_PRECONDITION (JOB_FINISHED) if the job ended in another way before.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.CancelJobResponse> cancelJob(
        io.github.belfryhq.belfry.v1.CancelJobRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCancelJobMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_CREATE_JOB = 0;
  private static final int METHODID_BATCH_CREATE_JOBS = 1;
  private static final int METHODID_GET_JOB = 2;
  private static final int METHODID_LIST_JOBS = 3;
  private static final int METHODID_CANCEL_JOB = 4;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_CREATE_JOB:
          serviceImpl.createJob((io.github.belfryhq.belfry.v1.CreateJobRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateJobResponse>) responseObserver);
          break;
        case METHODID_BATCH_CREATE_JOBS:
          serviceImpl.batchCreateJobs((io.github.belfryhq.belfry.v1.BatchCreateJobsRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.BatchCreateJobsResponse>) responseObserver);
          break;
        case METHODID_GET_JOB:
          serviceImpl.getJob((io.github.belfryhq.belfry.v1.GetJobRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetJobResponse>) responseObserver);
          break;
        case METHODID_LIST_JOBS:
          serviceImpl.listJobs((io.github.belfryhq.belfry.v1.ListJobsRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListJobsResponse>) responseObserver);
          break;
        case METHODID_CANCEL_JOB:
          serviceImpl.cancelJob((io.github.belfryhq.belfry.v1.CancelJobRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CancelJobResponse>) responseObserver);
          break;
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getCreateJobMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.CreateJobRequest,
              io.github.belfryhq.belfry.v1.CreateJobResponse>(
                service, METHODID_CREATE_JOB)))
        .addMethod(
          getBatchCreateJobsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.BatchCreateJobsRequest,
              io.github.belfryhq.belfry.v1.BatchCreateJobsResponse>(
                service, METHODID_BATCH_CREATE_JOBS)))
        .addMethod(
          getGetJobMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.GetJobRequest,
              io.github.belfryhq.belfry.v1.GetJobResponse>(
                service, METHODID_GET_JOB)))
        .addMethod(
          getListJobsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ListJobsRequest,
              io.github.belfryhq.belfry.v1.ListJobsResponse>(
                service, METHODID_LIST_JOBS)))
        .addMethod(
          getCancelJobMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.CancelJobRequest,
              io.github.belfryhq.belfry.v1.CancelJobResponse>(
                service, METHODID_CANCEL_JOB)))
        .build();
  }

  private static abstract class JobServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    JobServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.belfryhq.belfry.v1.JobProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("JobService");
    }
  }

  private static final class JobServiceFileDescriptorSupplier
      extends JobServiceBaseDescriptorSupplier {
    JobServiceFileDescriptorSupplier() {}
  }

  private static final class JobServiceMethodDescriptorSupplier
      extends JobServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    JobServiceMethodDescriptorSupplier(java.lang.String methodName) {
      this.methodName = methodName;
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName(methodName);
    }
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (JobServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new JobServiceFileDescriptorSupplier())
              .addMethod(getCreateJobMethod())
              .addMethod(getBatchCreateJobsMethod())
              .addMethod(getGetJobMethod())
              .addMethod(getListJobsMethod())
              .addMethod(getCancelJobMethod())
              .build();
        }
      }
    }
    return result;
  }
}
