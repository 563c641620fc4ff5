package io.github.belfryhq.belfry.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * QueueService manages a tenant's named channels of work.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class QueueServiceGrpc {

  private QueueServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "belfry.v1.QueueService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateQueueRequest,
      io.github.belfryhq.belfry.v1.CreateQueueResponse> getCreateQueueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateQueue",
      requestType = io.github.belfryhq.belfry.v1.CreateQueueRequest.class,
      responseType = io.github.belfryhq.belfry.v1.CreateQueueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateQueueRequest,
      io.github.belfryhq.belfry.v1.CreateQueueResponse> getCreateQueueMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateQueueRequest, io.github.belfryhq.belfry.v1.CreateQueueResponse> getCreateQueueMethod;
    if ((getCreateQueueMethod = QueueServiceGrpc.getCreateQueueMethod) == null) {
      synchronized (QueueServiceGrpc.class) {
        if ((getCreateQueueMethod = QueueServiceGrpc.getCreateQueueMethod) == null) {
          QueueServiceGrpc.getCreateQueueMethod = getCreateQueueMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.CreateQueueRequest, io.github.belfryhq.belfry.v1.CreateQueueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateQueue"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateQueueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateQueueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new QueueServiceMethodDescriptorSupplier("CreateQueue"))
              .build();
        }
      }
    }
    return getCreateQueueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetQueueRequest,
      io.github.belfryhq.belfry.v1.GetQueueResponse> getGetQueueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetQueue",
      requestType = io.github.belfryhq.belfry.v1.GetQueueRequest.class,
      responseType = io.github.belfryhq.belfry.v1.GetQueueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetQueueRequest,
      io.github.belfryhq.belfry.v1.GetQueueResponse> getGetQueueMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetQueueRequest, io.github.belfryhq.belfry.v1.GetQueueResponse> getGetQueueMethod;
    if ((getGetQueueMethod = QueueServiceGrpc.getGetQueueMethod) == null) {
      synchronized (QueueServiceGrpc.class) {
        if ((getGetQueueMethod = QueueServiceGrpc.getGetQueueMethod) == null) {
          QueueServiceGrpc.getGetQueueMethod = getGetQueueMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.GetQueueRequest, io.github.belfryhq.belfry.v1.GetQueueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetQueue"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetQueueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetQueueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new QueueServiceMethodDescriptorSupplier("GetQueue"))
              .build();
        }
      }
    }
    return getGetQueueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListQueuesRequest,
      io.github.belfryhq.belfry.v1.ListQueuesResponse> getListQueuesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListQueues",
      requestType = io.github.belfryhq.belfry.v1.ListQueuesRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ListQueuesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListQueuesRequest,
      io.github.belfryhq.belfry.v1.ListQueuesResponse> getListQueuesMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListQueuesRequest, io.github.belfryhq.belfry.v1.ListQueuesResponse> getListQueuesMethod;
    if ((getListQueuesMethod = QueueServiceGrpc.getListQueuesMethod) == null) {
      synchronized (QueueServiceGrpc.class) {
        if ((getListQueuesMethod = QueueServiceGrpc.getListQueuesMethod) == null) {
          QueueServiceGrpc.getListQueuesMethod = getListQueuesMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ListQueuesRequest, io.github.belfryhq.belfry.v1.ListQueuesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListQueues"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListQueuesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListQueuesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new QueueServiceMethodDescriptorSupplier("ListQueues"))
              .build();
        }
      }
    }
    return getListQueuesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.UpdateQueueRequest,
      io.github.belfryhq.belfry.v1.UpdateQueueResponse> getUpdateQueueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateQueue",
      requestType = io.github.belfryhq.belfry.v1.UpdateQueueRequest.class,
      responseType = io.github.belfryhq.belfry.v1.UpdateQueueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.UpdateQueueRequest,
      io.github.belfryhq.belfry.v1.UpdateQueueResponse> getUpdateQueueMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.UpdateQueueRequest, io.github.belfryhq.belfry.v1.UpdateQueueResponse> getUpdateQueueMethod;
    if ((getUpdateQueueMethod = QueueServiceGrpc.getUpdateQueueMethod) == null) {
      synchronized (QueueServiceGrpc.class) {
        if ((getUpdateQueueMethod = QueueServiceGrpc.getUpdateQueueMethod) == null) {
          QueueServiceGrpc.getUpdateQueueMethod = getUpdateQueueMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.UpdateQueueRequest, io.github.belfryhq.belfry.v1.UpdateQueueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateQueue"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.UpdateQueueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.UpdateQueueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new QueueServiceMethodDescriptorSupplier("UpdateQueue"))
              .build();
        }
      }
    }
    return getUpdateQueueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.DeleteQueueRequest,
      io.github.belfryhq.belfry.v1.DeleteQueueResponse> getDeleteQueueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteQueue",
      requestType = io.github.belfryhq.belfry.v1.DeleteQueueRequest.class,
      responseType = io.github.belfryhq.belfry.v1.DeleteQueueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.DeleteQueueRequest,
      io.github.belfryhq.belfry.v1.DeleteQueueResponse> getDeleteQueueMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.DeleteQueueRequest, io.github.belfryhq.belfry.v1.DeleteQueueResponse> getDeleteQueueMethod;
    if ((getDeleteQueueMethod = QueueServiceGrpc.getDeleteQueueMethod) == null) {
      synchronized (QueueServiceGrpc.class) {
        if ((getDeleteQueueMethod = QueueServiceGrpc.getDeleteQueueMethod) == null) {
          QueueServiceGrpc.getDeleteQueueMethod = getDeleteQueueMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.DeleteQueueRequest, io.github.belfryhq.belfry.v1.DeleteQueueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteQueue"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.DeleteQueueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.DeleteQueueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new QueueServiceMethodDescriptorSupplier("DeleteQueue"))
              .build();
        }
      }
    }
    return getDeleteQueueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.PauseQueueRequest,
      io.github.belfryhq.belfry.v1.PauseQueueResponse> getPauseQueueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PauseQueue",
      requestType = io.github.belfryhq.belfry.v1.PauseQueueRequest.class,
      responseType = io.github.belfryhq.belfry.v1.PauseQueueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.PauseQueueRequest,
      io.github.belfryhq.belfry.v1.PauseQueueResponse> getPauseQueueMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.PauseQueueRequest, io.github.belfryhq.belfry.v1.PauseQueueResponse> getPauseQueueMethod;
    if ((getPauseQueueMethod = QueueServiceGrpc.getPauseQueueMethod) == null) {
      synchronized (QueueServiceGrpc.class) {
        if ((getPauseQueueMethod = QueueServiceGrpc.getPauseQueueMethod) == null) {
          QueueServiceGrpc.getPauseQueueMethod = getPauseQueueMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.PauseQueueRequest, io.github.belfryhq.belfry.v1.PauseQueueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PauseQueue"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.PauseQueueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.PauseQueueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new QueueServiceMethodDescriptorSupplier("PauseQueue"))
              .build();
        }
      }
    }
    return getPauseQueueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ResumeQueueRequest,
      io.github.belfryhq.belfry.v1.ResumeQueueResponse> getResumeQueueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ResumeQueue",
      requestType = io.github.belfryhq.belfry.v1.ResumeQueueRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ResumeQueueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ResumeQueueRequest,
      io.github.belfryhq.belfry.v1.ResumeQueueResponse> getResumeQueueMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ResumeQueueRequest, io.github.belfryhq.belfry.v1.ResumeQueueResponse> getResumeQueueMethod;
    if ((getResumeQueueMethod = QueueServiceGrpc.getResumeQueueMethod) == null) {
      synchronized (QueueServiceGrpc.class) {
        if ((getResumeQueueMethod = QueueServiceGrpc.getResumeQueueMethod) == null) {
          QueueServiceGrpc.getResumeQueueMethod = getResumeQueueMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ResumeQueueRequest, io.github.belfryhq.belfry.v1.ResumeQueueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ResumeQueue"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ResumeQueueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ResumeQueueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new QueueServiceMethodDescriptorSupplier("ResumeQueue"))
              .build();
        }
      }
    }
    return getResumeQueueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetQueueStatsRequest,
      io.github.belfryhq.belfry.v1.GetQueueStatsResponse> getGetQueueStatsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetQueueStats",
      requestType = io.github.belfryhq.belfry.v1.GetQueueStatsRequest.class,
      responseType = io.github.belfryhq.belfry.v1.GetQueueStatsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetQueueStatsRequest,
      io.github.belfryhq.belfry.v1.GetQueueStatsResponse> getGetQueueStatsMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetQueueStatsRequest, io.github.belfryhq.belfry.v1.GetQueueStatsResponse> getGetQueueStatsMethod;
    if ((getGetQueueStatsMethod = QueueServiceGrpc.getGetQueueStatsMethod) == null) {
      synchronized (QueueServiceGrpc.class) {
        if ((getGetQueueStatsMethod = QueueServiceGrpc.getGetQueueStatsMethod) == null) {
          QueueServiceGrpc.getGetQueueStatsMethod = getGetQueueStatsMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.GetQueueStatsRequest, io.github.belfryhq.belfry.v1.GetQueueStatsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetQueueStats"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetQueueStatsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetQueueStatsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new QueueServiceMethodDescriptorSupplier("GetQueueStats"))
              .build();
        }
      }
    }
    return getGetQueueStatsMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static QueueServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<QueueServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<QueueServiceStub>() {
        @java.lang.Override
        public QueueServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new QueueServiceStub(channel, callOptions);
        }
      };
    return QueueServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static QueueServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<QueueServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<QueueServiceBlockingV2Stub>() {
        @java.lang.Override
        public QueueServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new QueueServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return QueueServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static QueueServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<QueueServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<QueueServiceBlockingStub>() {
        @java.lang.Override
        public QueueServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new QueueServiceBlockingStub(channel, callOptions);
        }
      };
    return QueueServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static QueueServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<QueueServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<QueueServiceFutureStub>() {
        @java.lang.Override
        public QueueServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new QueueServiceFutureStub(channel, callOptions);
        }
      };
    return QueueServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * QueueService manages a tenant's named channels of work.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * CreateQueue makes a queue. ALREADY_EXISTS if there is one of that name.
     * </pre>
     */
    default void createQueue(io.github.belfryhq.belfry.v1.CreateQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateQueueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateQueueMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetQueue answers one queue. NOT_FOUND (QUEUE_NOT_FOUND) otherwise.
     * </pre>
     */
    default void getQueue(io.github.belfryhq.belfry.v1.GetQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetQueueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetQueueMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListQueues lists the queues of one tenant by name.
     * </pre>
     */
    default void listQueues(io.github.belfryhq.belfry.v1.ListQueuesRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListQueuesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListQueuesMethod(), responseObserver);
    }

    /**
     * <pre>
     * UpdateQueue changes a queue's settings. They hold for jobs created from then on, and for the next decision on jobs
     * that did not state their own.
     * </pre>
     */
    default void updateQueue(io.github.belfryhq.belfry.v1.UpdateQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.UpdateQueueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateQueueMethod(), responseObserver);
    }

    /**
     * <pre>
     * DeleteQueue removes a queue. FAILED_PRECONDITION while it holds live jobs (IN_USE) unless `force`, which cancels those
     * that wait and refuses while any is running; or while `deletion_protection` is on.
     * </pre>
     */
    default void deleteQueue(io.github.belfryhq.belfry.v1.DeleteQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.DeleteQueueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteQueueMethod(), responseObserver);
    }

    /**
     * <pre>
     * PauseQueue stops leasing from a queue: when it has answered, no further lease of this queue's jobs is committed.
     * Running attempts go on; creates are accepted.
     * </pre>
     */
    default void pauseQueue(io.github.belfryhq.belfry.v1.PauseQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.PauseQueueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPauseQueueMethod(), responseObserver);
    }

    /**
     * <pre>
     * ResumeQueue lets a paused queue be leased from again.
     * </pre>
     */
    default void resumeQueue(io.github.belfryhq.belfry.v1.ResumeQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ResumeQueueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getResumeQueueMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetQueueStats counts what a queue holds. Counts stop at 100,000 and say so.
     * </pre>
     */
    default void getQueueStats(io.github.belfryhq.belfry.v1.GetQueueStatsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetQueueStatsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetQueueStatsMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service QueueService.
   * <pre>
   * QueueService manages a tenant's named channels of work.
   * </pre>
   */
  public static abstract class QueueServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return QueueServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service QueueService.
   * <pre>
   * QueueService manages a tenant's named channels of work.
   * </pre>
   */
  public static final class QueueServiceStub
      extends io.grpc.stub.AbstractAsyncStub<QueueServiceStub> {
    private QueueServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected QueueServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new QueueServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateQueue makes a queue. ALREADY_EXISTS if there is one of that name.
     * </pre>
     */
    public void createQueue(io.github.belfryhq.belfry.v1.CreateQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateQueueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateQueueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetQueue answers one queue. NOT_FOUND (QUEUE_NOT_FOUND) otherwise.
     * </pre>
     */
    public void getQueue(io.github.belfryhq.belfry.v1.GetQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetQueueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetQueueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListQueues lists the queues of one tenant by name.
     * </pre>
     */
    public void listQueues(io.github.belfryhq.belfry.v1.ListQueuesRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListQueuesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListQueuesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * UpdateQueue changes a queue's settings. They hold for jobs created from then on, and for the next decision on jobs
     * that did not state their own.
     * </pre>
     */
    public void updateQueue(io.github.belfryhq.belfry.v1.UpdateQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.UpdateQueueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateQueueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * DeleteQueue removes a queue. FAILED_PRECONDITION while it holds live jobs (IN_USE) unless `force`, which cancels those
     * that wait and refuses while any is running; or while `deletion_protection` is on.
     * </pre>
     */
    public void deleteQueue(io.github.belfryhq.belfry.v1.DeleteQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.DeleteQueueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteQueueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * PauseQueue stops leasing from a queue: when it has answered, no further lease of this queue's jobs is committed.
     * Running attempts go on; creates are accepted.
     * </pre>
     */
    public void pauseQueue(io.github.belfryhq.belfry.v1.PauseQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.PauseQueueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPauseQueueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ResumeQueue lets a paused queue be leased from again.
     * </pre>
     */
    public void resumeQueue(io.github.belfryhq.belfry.v1.ResumeQueueRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ResumeQueueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getResumeQueueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetQueueStats counts what a queue holds. Counts stop at 100,000 and say so.
     * </pre>
     */
    public void getQueueStats(io.github.belfryhq.belfry.v1.GetQueueStatsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetQueueStatsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetQueueStatsMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service QueueService.
   * <pre>
   * QueueService manages a tenant's named channels of work.
   * </pre>
   */
  public static final class QueueServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<QueueServiceBlockingV2Stub> {
    private QueueServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected QueueServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new QueueServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateQueue makes a queue. ALREADY_EXISTS if there is one of that name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateQueueResponse createQueue(io.github.belfryhq.belfry.v1.CreateQueueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetQueue answers one queue. NOT_FOUND (QUEUE_NOT_FOUND) otherwise.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetQueueResponse getQueue(io.github.belfryhq.belfry.v1.GetQueueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListQueues lists the queues of one tenant by name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListQueuesResponse listQueues(io.github.belfryhq.belfry.v1.ListQueuesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListQueuesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * UpdateQueue changes a queue's settings. They hold for jobs created from then on, and for the next decision on jobs
     * that did not state their own.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.UpdateQueueResponse updateQueue(io.github.belfryhq.belfry.v1.UpdateQueueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getUpdateQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DeleteQueue removes a queue. FAILED_PRECONDITION while it holds live jobs (IN_USE) unless `force`, which cancels those
     * that wait and refuses while any is running; or while `deletion_protection` is on.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.DeleteQueueResponse deleteQueue(io.github.belfryhq.belfry.v1.DeleteQueueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * PauseQueue stops leasing from a queue: when it has answered, no further lease of this queue's jobs is committed.
     * Running attempts go on; creates are accepted.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.PauseQueueResponse pauseQueue(io.github.belfryhq.belfry.v1.PauseQueueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPauseQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ResumeQueue lets a paused queue be leased from again.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ResumeQueueResponse resumeQueue(io.github.belfryhq.belfry.v1.ResumeQueueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getResumeQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetQueueStats counts what a queue holds. Counts stop at 100,000 and say so.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetQueueStatsResponse getQueueStats(io.github.belfryhq.belfry.v1.GetQueueStatsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetQueueStatsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service QueueService.
   * <pre>
   * QueueService manages a tenant's named channels of work.
   * </pre>
   */
  public static final class QueueServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<QueueServiceBlockingStub> {
    private QueueServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected QueueServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new QueueServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateQueue makes a queue. ALREADY_EXISTS if there is one of that name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateQueueResponse createQueue(io.github.belfryhq.belfry.v1.CreateQueueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetQueue answers one queue. NOT_FOUND (QUEUE_NOT_FOUND) otherwise.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetQueueResponse getQueue(io.github.belfryhq.belfry.v1.GetQueueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListQueues lists the queues of one tenant by name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListQueuesResponse listQueues(io.github.belfryhq.belfry.v1.ListQueuesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListQueuesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * UpdateQueue changes a queue's settings. They hold for jobs created from then on, and for the next decision on jobs
     * that did not state their own.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.UpdateQueueResponse updateQueue(io.github.belfryhq.belfry.v1.UpdateQueueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DeleteQueue removes a queue. FAILED_PRECONDITION while it holds live jobs (IN_USE) unless `force`, which cancels those
     * that wait and refuses while any is running; or while `deletion_protection` is on.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.DeleteQueueResponse deleteQueue(io.github.belfryhq.belfry.v1.DeleteQueueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * PauseQueue stops leasing from a queue: when it has answered, no further lease of this queue's jobs is committed.
     * Running attempts go on; creates are accepted.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.PauseQueueResponse pauseQueue(io.github.belfryhq.belfry.v1.PauseQueueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPauseQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ResumeQueue lets a paused queue be leased from again.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ResumeQueueResponse resumeQueue(io.github.belfryhq.belfry.v1.ResumeQueueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getResumeQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetQueueStats counts what a queue holds. Counts stop at 100,000 and say so.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetQueueStatsResponse getQueueStats(io.github.belfryhq.belfry.v1.GetQueueStatsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetQueueStatsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service QueueService.
   * <pre>
   * QueueService manages a tenant's named channels of work.
   * </pre>
   */
  public static final class QueueServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<QueueServiceFutureStub> {
    private QueueServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected QueueServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new QueueServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateQueue makes a queue. ALREADY_EXISTS if there is one of that name.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.CreateQueueResponse> createQueue(
        io.github.belfryhq.belfry.v1.CreateQueueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateQueueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetQueue answers one queue. NOT_FOUND (QUEUE_NOT_FOUND) otherwise.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.GetQueueResponse> getQueue(
        io.github.belfryhq.belfry.v1.GetQueueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetQueueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListQueues lists the queues of one tenant by name.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ListQueuesResponse> listQueues(
        io.github.belfryhq.belfry.v1.ListQueuesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListQueuesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * UpdateQueue changes a queue's settings. They hold for jobs created from then on, and for the next decision on jobs
     * that did not state their own.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.UpdateQueueResponse> updateQueue(
        io.github.belfryhq.belfry.v1.UpdateQueueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateQueueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * DeleteQueue removes a queue. FAILED_PRECONDITION while it holds live jobs (IN_USE) unless `force`, which cancels those
     * that wait and refuses while any is running; or while `deletion_protection` is on.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.DeleteQueueResponse> deleteQueue(
        io.github.belfryhq.belfry.v1.DeleteQueueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteQueueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * PauseQueue stops leasing from a queue: when it has answered, no further lease of this queue's jobs is committed.
     * Running attempts go on; creates are accepted.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.PauseQueueResponse> pauseQueue(
        io.github.belfryhq.belfry.v1.PauseQueueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPauseQueueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ResumeQueue lets a paused queue be leased from again.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ResumeQueueResponse> resumeQueue(
        io.github.belfryhq.belfry.v1.ResumeQueueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getResumeQueueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetQueueStats counts what a queue holds. Counts stop at 100,000 and say so.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.GetQueueStatsResponse> getQueueStats(
        io.github.belfryhq.belfry.v1.GetQueueStatsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetQueueStatsMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_CREATE_QUEUE = 0;
  private static final int METHODID_GET_QUEUE = 1;
  private static final int METHODID_LIST_QUEUES = 2;
  private static final int METHODID_UPDATE_QUEUE = 3;
  private static final int METHODID_DELETE_QUEUE = 4;
  private static final int METHODID_PAUSE_QUEUE = 5;
  private static final int METHODID_RESUME_QUEUE = 6;
  private static final int METHODID_GET_QUEUE_STATS = 7;

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
        case METHODID_CREATE_QUEUE:
          serviceImpl.createQueue((io.github.belfryhq.belfry.v1.CreateQueueRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateQueueResponse>) responseObserver);
          break;
        case METHODID_GET_QUEUE:
          serviceImpl.getQueue((io.github.belfryhq.belfry.v1.GetQueueRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetQueueResponse>) responseObserver);
          break;
        case METHODID_LIST_QUEUES:
          serviceImpl.listQueues((io.github.belfryhq.belfry.v1.ListQueuesRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListQueuesResponse>) responseObserver);
          break;
        case METHODID_UPDATE_QUEUE:
          serviceImpl.updateQueue((io.github.belfryhq.belfry.v1.UpdateQueueRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.UpdateQueueResponse>) responseObserver);
          break;
        case METHODID_DELETE_QUEUE:
          serviceImpl.deleteQueue((io.github.belfryhq.belfry.v1.DeleteQueueRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.DeleteQueueResponse>) responseObserver);
          break;
        case METHODID_PAUSE_QUEUE:
          serviceImpl.pauseQueue((io.github.belfryhq.belfry.v1.PauseQueueRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.PauseQueueResponse>) responseObserver);
          break;
        case METHODID_RESUME_QUEUE:
          serviceImpl.resumeQueue((io.github.belfryhq.belfry.v1.ResumeQueueRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ResumeQueueResponse>) responseObserver);
          break;
        case METHODID_GET_QUEUE_STATS:
          serviceImpl.getQueueStats((io.github.belfryhq.belfry.v1.GetQueueStatsRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetQueueStatsResponse>) responseObserver);
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
          getCreateQueueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.CreateQueueRequest,
              io.github.belfryhq.belfry.v1.CreateQueueResponse>(
                service, METHODID_CREATE_QUEUE)))
        .addMethod(
          getGetQueueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.GetQueueRequest,
              io.github.belfryhq.belfry.v1.GetQueueResponse>(
                service, METHODID_GET_QUEUE)))
        .addMethod(
          getListQueuesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ListQueuesRequest,
              io.github.belfryhq.belfry.v1.ListQueuesResponse>(
                service, METHODID_LIST_QUEUES)))
        .addMethod(
          getUpdateQueueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.UpdateQueueRequest,
              io.github.belfryhq.belfry.v1.UpdateQueueResponse>(
                service, METHODID_UPDATE_QUEUE)))
        .addMethod(
          getDeleteQueueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.DeleteQueueRequest,
              io.github.belfryhq.belfry.v1.DeleteQueueResponse>(
                service, METHODID_DELETE_QUEUE)))
        .addMethod(
          getPauseQueueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.PauseQueueRequest,
              io.github.belfryhq.belfry.v1.PauseQueueResponse>(
                service, METHODID_PAUSE_QUEUE)))
        .addMethod(
          getResumeQueueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ResumeQueueRequest,
              io.github.belfryhq.belfry.v1.ResumeQueueResponse>(
                service, METHODID_RESUME_QUEUE)))
        .addMethod(
          getGetQueueStatsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.GetQueueStatsRequest,
              io.github.belfryhq.belfry.v1.GetQueueStatsResponse>(
                service, METHODID_GET_QUEUE_STATS)))
        .build();
  }

  private static abstract class QueueServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    QueueServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.belfryhq.belfry.v1.QueueProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("QueueService");
    }
  }

  private static final class QueueServiceFileDescriptorSupplier
      extends QueueServiceBaseDescriptorSupplier {
    QueueServiceFileDescriptorSupplier() {}
  }

  private static final class QueueServiceMethodDescriptorSupplier
      extends QueueServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    QueueServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (QueueServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new QueueServiceFileDescriptorSupplier())
              .addMethod(getCreateQueueMethod())
              .addMethod(getGetQueueMethod())
              .addMethod(getListQueuesMethod())
              .addMethod(getUpdateQueueMethod())
              .addMethod(getDeleteQueueMethod())
              .addMethod(getPauseQueueMethod())
              .addMethod(getResumeQueueMethod())
              .addMethod(getGetQueueStatsMethod())
              .build();
        }
      }
    }
    return result;
  }
}
