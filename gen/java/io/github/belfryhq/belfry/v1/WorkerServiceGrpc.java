package io.github.belfryhq.belfry.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * WorkerService hands due jobs to workers under leases. Workers pull; nothing is pushed at them. All calls are unary, so
 * that plain HTTP/1.1 clients can be workers.
 * A lease is proven by its token. It holds until the worker ends the attempt (complete, fail, release), or until it
 * expires and the server has rescued it, or until it is revoked. A call with the token of an ended lease gets LEASE_LOST,
 * always; except that repeating the very call that ended it is OK and changes nothing.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class WorkerServiceGrpc {

  private WorkerServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "belfry.v1.WorkerService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.LeaseJobsRequest,
      io.github.belfryhq.belfry.v1.LeaseJobsResponse> getLeaseJobsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "LeaseJobs",
      requestType = io.github.belfryhq.belfry.v1.LeaseJobsRequest.class,
      responseType = io.github.belfryhq.belfry.v1.LeaseJobsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.LeaseJobsRequest,
      io.github.belfryhq.belfry.v1.LeaseJobsResponse> getLeaseJobsMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.LeaseJobsRequest, io.github.belfryhq.belfry.v1.LeaseJobsResponse> getLeaseJobsMethod;
    if ((getLeaseJobsMethod = WorkerServiceGrpc.getLeaseJobsMethod) == null) {
      synchronized (WorkerServiceGrpc.class) {
        if ((getLeaseJobsMethod = WorkerServiceGrpc.getLeaseJobsMethod) == null) {
          WorkerServiceGrpc.getLeaseJobsMethod = getLeaseJobsMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.LeaseJobsRequest, io.github.belfryhq.belfry.v1.LeaseJobsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "LeaseJobs"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.LeaseJobsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.LeaseJobsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkerServiceMethodDescriptorSupplier("LeaseJobs"))
              .build();
        }
      }
    }
    return getLeaseJobsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.HeartbeatRequest,
      io.github.belfryhq.belfry.v1.HeartbeatResponse> getHeartbeatMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Heartbeat",
      requestType = io.github.belfryhq.belfry.v1.HeartbeatRequest.class,
      responseType = io.github.belfryhq.belfry.v1.HeartbeatResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.HeartbeatRequest,
      io.github.belfryhq.belfry.v1.HeartbeatResponse> getHeartbeatMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.HeartbeatRequest, io.github.belfryhq.belfry.v1.HeartbeatResponse> getHeartbeatMethod;
    if ((getHeartbeatMethod = WorkerServiceGrpc.getHeartbeatMethod) == null) {
      synchronized (WorkerServiceGrpc.class) {
        if ((getHeartbeatMethod = WorkerServiceGrpc.getHeartbeatMethod) == null) {
          WorkerServiceGrpc.getHeartbeatMethod = getHeartbeatMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.HeartbeatRequest, io.github.belfryhq.belfry.v1.HeartbeatResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Heartbeat"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.HeartbeatRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.HeartbeatResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkerServiceMethodDescriptorSupplier("Heartbeat"))
              .build();
        }
      }
    }
    return getHeartbeatMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CompleteJobsRequest,
      io.github.belfryhq.belfry.v1.CompleteJobsResponse> getCompleteJobsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CompleteJobs",
      requestType = io.github.belfryhq.belfry.v1.CompleteJobsRequest.class,
      responseType = io.github.belfryhq.belfry.v1.CompleteJobsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CompleteJobsRequest,
      io.github.belfryhq.belfry.v1.CompleteJobsResponse> getCompleteJobsMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CompleteJobsRequest, io.github.belfryhq.belfry.v1.CompleteJobsResponse> getCompleteJobsMethod;
    if ((getCompleteJobsMethod = WorkerServiceGrpc.getCompleteJobsMethod) == null) {
      synchronized (WorkerServiceGrpc.class) {
        if ((getCompleteJobsMethod = WorkerServiceGrpc.getCompleteJobsMethod) == null) {
          WorkerServiceGrpc.getCompleteJobsMethod = getCompleteJobsMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.CompleteJobsRequest, io.github.belfryhq.belfry.v1.CompleteJobsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CompleteJobs"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CompleteJobsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CompleteJobsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkerServiceMethodDescriptorSupplier("CompleteJobs"))
              .build();
        }
      }
    }
    return getCompleteJobsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.FailJobsRequest,
      io.github.belfryhq.belfry.v1.FailJobsResponse> getFailJobsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "FailJobs",
      requestType = io.github.belfryhq.belfry.v1.FailJobsRequest.class,
      responseType = io.github.belfryhq.belfry.v1.FailJobsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.FailJobsRequest,
      io.github.belfryhq.belfry.v1.FailJobsResponse> getFailJobsMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.FailJobsRequest, io.github.belfryhq.belfry.v1.FailJobsResponse> getFailJobsMethod;
    if ((getFailJobsMethod = WorkerServiceGrpc.getFailJobsMethod) == null) {
      synchronized (WorkerServiceGrpc.class) {
        if ((getFailJobsMethod = WorkerServiceGrpc.getFailJobsMethod) == null) {
          WorkerServiceGrpc.getFailJobsMethod = getFailJobsMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.FailJobsRequest, io.github.belfryhq.belfry.v1.FailJobsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "FailJobs"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.FailJobsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.FailJobsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkerServiceMethodDescriptorSupplier("FailJobs"))
              .build();
        }
      }
    }
    return getFailJobsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ReleaseJobsRequest,
      io.github.belfryhq.belfry.v1.ReleaseJobsResponse> getReleaseJobsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReleaseJobs",
      requestType = io.github.belfryhq.belfry.v1.ReleaseJobsRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ReleaseJobsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ReleaseJobsRequest,
      io.github.belfryhq.belfry.v1.ReleaseJobsResponse> getReleaseJobsMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ReleaseJobsRequest, io.github.belfryhq.belfry.v1.ReleaseJobsResponse> getReleaseJobsMethod;
    if ((getReleaseJobsMethod = WorkerServiceGrpc.getReleaseJobsMethod) == null) {
      synchronized (WorkerServiceGrpc.class) {
        if ((getReleaseJobsMethod = WorkerServiceGrpc.getReleaseJobsMethod) == null) {
          WorkerServiceGrpc.getReleaseJobsMethod = getReleaseJobsMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ReleaseJobsRequest, io.github.belfryhq.belfry.v1.ReleaseJobsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReleaseJobs"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ReleaseJobsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ReleaseJobsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkerServiceMethodDescriptorSupplier("ReleaseJobs"))
              .build();
        }
      }
    }
    return getReleaseJobsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListWorkersRequest,
      io.github.belfryhq.belfry.v1.ListWorkersResponse> getListWorkersMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListWorkers",
      requestType = io.github.belfryhq.belfry.v1.ListWorkersRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ListWorkersResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListWorkersRequest,
      io.github.belfryhq.belfry.v1.ListWorkersResponse> getListWorkersMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListWorkersRequest, io.github.belfryhq.belfry.v1.ListWorkersResponse> getListWorkersMethod;
    if ((getListWorkersMethod = WorkerServiceGrpc.getListWorkersMethod) == null) {
      synchronized (WorkerServiceGrpc.class) {
        if ((getListWorkersMethod = WorkerServiceGrpc.getListWorkersMethod) == null) {
          WorkerServiceGrpc.getListWorkersMethod = getListWorkersMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ListWorkersRequest, io.github.belfryhq.belfry.v1.ListWorkersResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListWorkers"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListWorkersRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListWorkersResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkerServiceMethodDescriptorSupplier("ListWorkers"))
              .build();
        }
      }
    }
    return getListWorkersMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static WorkerServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<WorkerServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<WorkerServiceStub>() {
        @java.lang.Override
        public WorkerServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new WorkerServiceStub(channel, callOptions);
        }
      };
    return WorkerServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static WorkerServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<WorkerServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<WorkerServiceBlockingV2Stub>() {
        @java.lang.Override
        public WorkerServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new WorkerServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return WorkerServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static WorkerServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<WorkerServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<WorkerServiceBlockingStub>() {
        @java.lang.Override
        public WorkerServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new WorkerServiceBlockingStub(channel, callOptions);
        }
      };
    return WorkerServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static WorkerServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<WorkerServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<WorkerServiceFutureStub>() {
        @java.lang.Override
        public WorkerServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new WorkerServiceFutureStub(channel, callOptions);
        }
      };
    return WorkerServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * WorkerService hands due jobs to workers under leases. Workers pull; nothing is pushed at them. All calls are unary, so
   * that plain HTTP/1.1 clients can be workers.
   * A lease is proven by its token. It holds until the worker ends the attempt (complete, fail, release), or until it
   * expires and the server has rescued it, or until it is revoked. A call with the token of an ended lease gets LEASE_LOST,
   * always; except that repeating the very call that ended it is OK and changes nothing.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * LeaseJobs waits until at least one matching job is due, leases up to `max_jobs` and answers; or answers empty after
     * `wait`. If the caller goes away before the answer, what was leased for it is released at once, uncounted.
     * </pre>
     */
    default void leaseJobs(io.github.belfryhq.belfry.v1.LeaseJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.LeaseJobsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getLeaseJobsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Heartbeat extends leases, and carries cancel requests and lost leases back. Send one at a third of the lease's
     * duration. Per-item results, in the order of the request.
     * </pre>
     */
    default void heartbeat(io.github.belfryhq.belfry.v1.HeartbeatRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.HeartbeatResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getHeartbeatMethod(), responseObserver);
    }

    /**
     * <pre>
     * CompleteJobs ends attempts with success. Per-item results, in the order of the request.
     * </pre>
     */
    default void completeJobs(io.github.belfryhq.belfry.v1.CompleteJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CompleteJobsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCompleteJobsMethod(), responseObserver);
    }

    /**
     * <pre>
     * FailJobs ends attempts with failure: the jobs are retried by their policy, or dead. Per-item results, in the order of
     * the request.
     * </pre>
     */
    default void failJobs(io.github.belfryhq.belfry.v1.FailJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.FailJobsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getFailJobsMethod(), responseObserver);
    }

    /**
     * <pre>
     * ReleaseJobs gives jobs back without counting an attempt (drain, snooze), bounded by `max_releases` and `max_age`.
     * Per-item results, in the order of the request.
     * </pre>
     */
    default void releaseJobs(io.github.belfryhq.belfry.v1.ReleaseJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ReleaseJobsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReleaseJobsMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListWorkers lists the workers of the tenant that have called within the last 5 minutes, by worker_id.
     * </pre>
     */
    default void listWorkers(io.github.belfryhq.belfry.v1.ListWorkersRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListWorkersResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListWorkersMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service WorkerService.
   * <pre>
   * WorkerService hands due jobs to workers under leases. Workers pull; nothing is pushed at them. All calls are unary, so
   * that plain HTTP/1.1 clients can be workers.
   * A lease is proven by its token. It holds until the worker ends the attempt (complete, fail, release), or until it
   * expires and the server has rescued it, or until it is revoked. A call with the token of an ended lease gets LEASE_LOST,
   * always; except that repeating the very call that ended it is OK and changes nothing.
   * </pre>
   */
  public static abstract class WorkerServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return WorkerServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service WorkerService.
   * <pre>
   * WorkerService hands due jobs to workers under leases. Workers pull; nothing is pushed at them. All calls are unary, so
   * that plain HTTP/1.1 clients can be workers.
   * A lease is proven by its token. It holds until the worker ends the attempt (complete, fail, release), or until it
   * expires and the server has rescued it, or until it is revoked. A call with the token of an ended lease gets LEASE_LOST,
   * always; except that repeating the very call that ended it is OK and changes nothing.
   * </pre>
   */
  public static final class WorkerServiceStub
      extends io.grpc.stub.AbstractAsyncStub<WorkerServiceStub> {
    private WorkerServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected WorkerServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new WorkerServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * LeaseJobs waits until at least one matching job is due, leases up to `max_jobs` and answers; or answers empty after
     * `wait`. If the caller goes away before the answer, what was leased for it is released at once, uncounted.
     * </pre>
     */
    public void leaseJobs(io.github.belfryhq.belfry.v1.LeaseJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.LeaseJobsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getLeaseJobsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Heartbeat extends leases, and carries cancel requests and lost leases back. Send one at a third of the lease's
     * duration. Per-item results, in the order of the request.
     * </pre>
     */
    public void heartbeat(io.github.belfryhq.belfry.v1.HeartbeatRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.HeartbeatResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getHeartbeatMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * CompleteJobs ends attempts with success. Per-item results, in the order of the request.
     * </pre>
     */
    public void completeJobs(io.github.belfryhq.belfry.v1.CompleteJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CompleteJobsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCompleteJobsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * FailJobs ends attempts with failure: the jobs are retried by their policy, or dead. Per-item results, in the order of
     * the request.
     * </pre>
     */
    public void failJobs(io.github.belfryhq.belfry.v1.FailJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.FailJobsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getFailJobsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ReleaseJobs gives jobs back without counting an attempt (drain, snooze), bounded by `max_releases` and `max_age`.
     * Per-item results, in the order of the request.
     * </pre>
     */
    public void releaseJobs(io.github.belfryhq.belfry.v1.ReleaseJobsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ReleaseJobsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReleaseJobsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListWorkers lists the workers of the tenant that have called within the last 5 minutes, by worker_id.
     * </pre>
     */
    public void listWorkers(io.github.belfryhq.belfry.v1.ListWorkersRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListWorkersResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListWorkersMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service WorkerService.
   * <pre>
   * WorkerService hands due jobs to workers under leases. Workers pull; nothing is pushed at them. All calls are unary, so
   * that plain HTTP/1.1 clients can be workers.
   * A lease is proven by its token. It holds until the worker ends the attempt (complete, fail, release), or until it
   * expires and the server has rescued it, or until it is revoked. A call with the token of an ended lease gets LEASE_LOST,
   * always; except that repeating the very call that ended it is OK and changes nothing.
   * </pre>
   */
  public static final class WorkerServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<WorkerServiceBlockingV2Stub> {
    private WorkerServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected WorkerServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new WorkerServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * LeaseJobs waits until at least one matching job is due, leases up to `max_jobs` and answers; or answers empty after
     * `wait`. If the caller goes away before the answer, what was leased for it is released at once, uncounted.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.LeaseJobsResponse leaseJobs(io.github.belfryhq.belfry.v1.LeaseJobsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getLeaseJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Heartbeat extends leases, and carries cancel requests and lost leases back. Send one at a third of the lease's
     * duration. Per-item results, in the order of the request.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.HeartbeatResponse heartbeat(io.github.belfryhq.belfry.v1.HeartbeatRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getHeartbeatMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CompleteJobs ends attempts with success. Per-item results, in the order of the request.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CompleteJobsResponse completeJobs(io.github.belfryhq.belfry.v1.CompleteJobsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCompleteJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * FailJobs ends attempts with failure: the jobs are retried by their policy, or dead. Per-item results, in the order of
     * the request.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.FailJobsResponse failJobs(io.github.belfryhq.belfry.v1.FailJobsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getFailJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ReleaseJobs gives jobs back without counting an attempt (drain, snooze), bounded by `max_releases` and `max_age`.
     * Per-item results, in the order of the request.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ReleaseJobsResponse releaseJobs(io.github.belfryhq.belfry.v1.ReleaseJobsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReleaseJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListWorkers lists the workers of the tenant that have called within the last 5 minutes, by worker_id.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListWorkersResponse listWorkers(io.github.belfryhq.belfry.v1.ListWorkersRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListWorkersMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service WorkerService.
   * <pre>
   * WorkerService hands due jobs to workers under leases. Workers pull; nothing is pushed at them. All calls are unary, so
   * that plain HTTP/1.1 clients can be workers.
   * A lease is proven by its token. It holds until the worker ends the attempt (complete, fail, release), or until it
   * expires and the server has rescued it, or until it is revoked. A call with the token of an ended lease gets LEASE_LOST,
   * always; except that repeating the very call that ended it is OK and changes nothing.
   * </pre>
   */
  public static final class WorkerServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<WorkerServiceBlockingStub> {
    private WorkerServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected WorkerServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new WorkerServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * LeaseJobs waits until at least one matching job is due, leases up to `max_jobs` and answers; or answers empty after
     * `wait`. If the caller goes away before the answer, what was leased for it is released at once, uncounted.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.LeaseJobsResponse leaseJobs(io.github.belfryhq.belfry.v1.LeaseJobsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getLeaseJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Heartbeat extends leases, and carries cancel requests and lost leases back. Send one at a third of the lease's
     * duration. Per-item results, in the order of the request.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.HeartbeatResponse heartbeat(io.github.belfryhq.belfry.v1.HeartbeatRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getHeartbeatMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CompleteJobs ends attempts with success. Per-item results, in the order of the request.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CompleteJobsResponse completeJobs(io.github.belfryhq.belfry.v1.CompleteJobsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCompleteJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * FailJobs ends attempts with failure: the jobs are retried by their policy, or dead. Per-item results, in the order of
     * the request.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.FailJobsResponse failJobs(io.github.belfryhq.belfry.v1.FailJobsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getFailJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ReleaseJobs gives jobs back without counting an attempt (drain, snooze), bounded by `max_releases` and `max_age`.
     * Per-item results, in the order of the request.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ReleaseJobsResponse releaseJobs(io.github.belfryhq.belfry.v1.ReleaseJobsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReleaseJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListWorkers lists the workers of the tenant that have called within the last 5 minutes, by worker_id.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListWorkersResponse listWorkers(io.github.belfryhq.belfry.v1.ListWorkersRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListWorkersMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service WorkerService.
   * <pre>
   * WorkerService hands due jobs to workers under leases. Workers pull; nothing is pushed at them. All calls are unary, so
   * that plain HTTP/1.1 clients can be workers.
   * A lease is proven by its token. It holds until the worker ends the attempt (complete, fail, release), or until it
   * expires and the server has rescued it, or until it is revoked. A call with the token of an ended lease gets LEASE_LOST,
   * always; except that repeating the very call that ended it is OK and changes nothing.
   * </pre>
   */
  public static final class WorkerServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<WorkerServiceFutureStub> {
    private WorkerServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected WorkerServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new WorkerServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * LeaseJobs waits until at least one matching job is due, leases up to `max_jobs` and answers; or answers empty after
     * `wait`. If the caller goes away before the answer, what was leased for it is released at once, uncounted.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.LeaseJobsResponse> leaseJobs(
        io.github.belfryhq.belfry.v1.LeaseJobsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getLeaseJobsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Heartbeat extends leases, and carries cancel requests and lost leases back. Send one at a third of the lease's
     * duration. Per-item results, in the order of the request.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.HeartbeatResponse> heartbeat(
        io.github.belfryhq.belfry.v1.HeartbeatRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getHeartbeatMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * CompleteJobs ends attempts with success. Per-item results, in the order of the request.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.CompleteJobsResponse> completeJobs(
        io.github.belfryhq.belfry.v1.CompleteJobsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCompleteJobsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * FailJobs ends attempts with failure: the jobs are retried by their policy, or dead. Per-item results, in the order of
     * the request.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.FailJobsResponse> failJobs(
        io.github.belfryhq.belfry.v1.FailJobsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getFailJobsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ReleaseJobs gives jobs back without counting an attempt (drain, snooze), bounded by `max_releases` and `max_age`.
     * Per-item results, in the order of the request.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ReleaseJobsResponse> releaseJobs(
        io.github.belfryhq.belfry.v1.ReleaseJobsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReleaseJobsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListWorkers lists the workers of the tenant that have called within the last 5 minutes, by worker_id.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ListWorkersResponse> listWorkers(
        io.github.belfryhq.belfry.v1.ListWorkersRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListWorkersMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_LEASE_JOBS = 0;
  private static final int METHODID_HEARTBEAT = 1;
  private static final int METHODID_COMPLETE_JOBS = 2;
  private static final int METHODID_FAIL_JOBS = 3;
  private static final int METHODID_RELEASE_JOBS = 4;
  private static final int METHODID_LIST_WORKERS = 5;

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
        case METHODID_LEASE_JOBS:
          serviceImpl.leaseJobs((io.github.belfryhq.belfry.v1.LeaseJobsRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.LeaseJobsResponse>) responseObserver);
          break;
        case METHODID_HEARTBEAT:
          serviceImpl.heartbeat((io.github.belfryhq.belfry.v1.HeartbeatRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.HeartbeatResponse>) responseObserver);
          break;
        case METHODID_COMPLETE_JOBS:
          serviceImpl.completeJobs((io.github.belfryhq.belfry.v1.CompleteJobsRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CompleteJobsResponse>) responseObserver);
          break;
        case METHODID_FAIL_JOBS:
          serviceImpl.failJobs((io.github.belfryhq.belfry.v1.FailJobsRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.FailJobsResponse>) responseObserver);
          break;
        case METHODID_RELEASE_JOBS:
          serviceImpl.releaseJobs((io.github.belfryhq.belfry.v1.ReleaseJobsRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ReleaseJobsResponse>) responseObserver);
          break;
        case METHODID_LIST_WORKERS:
          serviceImpl.listWorkers((io.github.belfryhq.belfry.v1.ListWorkersRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListWorkersResponse>) responseObserver);
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
          getLeaseJobsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.LeaseJobsRequest,
              io.github.belfryhq.belfry.v1.LeaseJobsResponse>(
                service, METHODID_LEASE_JOBS)))
        .addMethod(
          getHeartbeatMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.HeartbeatRequest,
              io.github.belfryhq.belfry.v1.HeartbeatResponse>(
                service, METHODID_HEARTBEAT)))
        .addMethod(
          getCompleteJobsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.CompleteJobsRequest,
              io.github.belfryhq.belfry.v1.CompleteJobsResponse>(
                service, METHODID_COMPLETE_JOBS)))
        .addMethod(
          getFailJobsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.FailJobsRequest,
              io.github.belfryhq.belfry.v1.FailJobsResponse>(
                service, METHODID_FAIL_JOBS)))
        .addMethod(
          getReleaseJobsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ReleaseJobsRequest,
              io.github.belfryhq.belfry.v1.ReleaseJobsResponse>(
                service, METHODID_RELEASE_JOBS)))
        .addMethod(
          getListWorkersMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ListWorkersRequest,
              io.github.belfryhq.belfry.v1.ListWorkersResponse>(
                service, METHODID_LIST_WORKERS)))
        .build();
  }

  private static abstract class WorkerServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    WorkerServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.belfryhq.belfry.v1.WorkerProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("WorkerService");
    }
  }

  private static final class WorkerServiceFileDescriptorSupplier
      extends WorkerServiceBaseDescriptorSupplier {
    WorkerServiceFileDescriptorSupplier() {}
  }

  private static final class WorkerServiceMethodDescriptorSupplier
      extends WorkerServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    WorkerServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (WorkerServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new WorkerServiceFileDescriptorSupplier())
              .addMethod(getLeaseJobsMethod())
              .addMethod(getHeartbeatMethod())
              .addMethod(getCompleteJobsMethod())
              .addMethod(getFailJobsMethod())
              .addMethod(getReleaseJobsMethod())
              .addMethod(getListWorkersMethod())
              .build();
        }
      }
    }
    return result;
  }
}
