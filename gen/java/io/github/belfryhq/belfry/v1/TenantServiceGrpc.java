package io.github.belfryhq.belfry.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * TenantService provisions tenants and their API keys. Methods on tenants need a platform key; methods on keys need a
 * platform key, or a tenant key with scope ADMIN for the keys of its own tenant.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class TenantServiceGrpc {

  private TenantServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "belfry.v1.TenantService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateTenantRequest,
      io.github.belfryhq.belfry.v1.CreateTenantResponse> getCreateTenantMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateTenant",
      requestType = io.github.belfryhq.belfry.v1.CreateTenantRequest.class,
      responseType = io.github.belfryhq.belfry.v1.CreateTenantResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateTenantRequest,
      io.github.belfryhq.belfry.v1.CreateTenantResponse> getCreateTenantMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateTenantRequest, io.github.belfryhq.belfry.v1.CreateTenantResponse> getCreateTenantMethod;
    if ((getCreateTenantMethod = TenantServiceGrpc.getCreateTenantMethod) == null) {
      synchronized (TenantServiceGrpc.class) {
        if ((getCreateTenantMethod = TenantServiceGrpc.getCreateTenantMethod) == null) {
          TenantServiceGrpc.getCreateTenantMethod = getCreateTenantMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.CreateTenantRequest, io.github.belfryhq.belfry.v1.CreateTenantResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateTenant"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateTenantRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateTenantResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TenantServiceMethodDescriptorSupplier("CreateTenant"))
              .build();
        }
      }
    }
    return getCreateTenantMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetTenantRequest,
      io.github.belfryhq.belfry.v1.GetTenantResponse> getGetTenantMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetTenant",
      requestType = io.github.belfryhq.belfry.v1.GetTenantRequest.class,
      responseType = io.github.belfryhq.belfry.v1.GetTenantResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetTenantRequest,
      io.github.belfryhq.belfry.v1.GetTenantResponse> getGetTenantMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetTenantRequest, io.github.belfryhq.belfry.v1.GetTenantResponse> getGetTenantMethod;
    if ((getGetTenantMethod = TenantServiceGrpc.getGetTenantMethod) == null) {
      synchronized (TenantServiceGrpc.class) {
        if ((getGetTenantMethod = TenantServiceGrpc.getGetTenantMethod) == null) {
          TenantServiceGrpc.getGetTenantMethod = getGetTenantMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.GetTenantRequest, io.github.belfryhq.belfry.v1.GetTenantResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetTenant"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetTenantRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetTenantResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TenantServiceMethodDescriptorSupplier("GetTenant"))
              .build();
        }
      }
    }
    return getGetTenantMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListTenantsRequest,
      io.github.belfryhq.belfry.v1.ListTenantsResponse> getListTenantsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListTenants",
      requestType = io.github.belfryhq.belfry.v1.ListTenantsRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ListTenantsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListTenantsRequest,
      io.github.belfryhq.belfry.v1.ListTenantsResponse> getListTenantsMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListTenantsRequest, io.github.belfryhq.belfry.v1.ListTenantsResponse> getListTenantsMethod;
    if ((getListTenantsMethod = TenantServiceGrpc.getListTenantsMethod) == null) {
      synchronized (TenantServiceGrpc.class) {
        if ((getListTenantsMethod = TenantServiceGrpc.getListTenantsMethod) == null) {
          TenantServiceGrpc.getListTenantsMethod = getListTenantsMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ListTenantsRequest, io.github.belfryhq.belfry.v1.ListTenantsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListTenants"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListTenantsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListTenantsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TenantServiceMethodDescriptorSupplier("ListTenants"))
              .build();
        }
      }
    }
    return getListTenantsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateApiKeyRequest,
      io.github.belfryhq.belfry.v1.CreateApiKeyResponse> getCreateApiKeyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateApiKey",
      requestType = io.github.belfryhq.belfry.v1.CreateApiKeyRequest.class,
      responseType = io.github.belfryhq.belfry.v1.CreateApiKeyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateApiKeyRequest,
      io.github.belfryhq.belfry.v1.CreateApiKeyResponse> getCreateApiKeyMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateApiKeyRequest, io.github.belfryhq.belfry.v1.CreateApiKeyResponse> getCreateApiKeyMethod;
    if ((getCreateApiKeyMethod = TenantServiceGrpc.getCreateApiKeyMethod) == null) {
      synchronized (TenantServiceGrpc.class) {
        if ((getCreateApiKeyMethod = TenantServiceGrpc.getCreateApiKeyMethod) == null) {
          TenantServiceGrpc.getCreateApiKeyMethod = getCreateApiKeyMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.CreateApiKeyRequest, io.github.belfryhq.belfry.v1.CreateApiKeyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateApiKey"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateApiKeyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateApiKeyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TenantServiceMethodDescriptorSupplier("CreateApiKey"))
              .build();
        }
      }
    }
    return getCreateApiKeyMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListApiKeysRequest,
      io.github.belfryhq.belfry.v1.ListApiKeysResponse> getListApiKeysMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListApiKeys",
      requestType = io.github.belfryhq.belfry.v1.ListApiKeysRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ListApiKeysResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListApiKeysRequest,
      io.github.belfryhq.belfry.v1.ListApiKeysResponse> getListApiKeysMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListApiKeysRequest, io.github.belfryhq.belfry.v1.ListApiKeysResponse> getListApiKeysMethod;
    if ((getListApiKeysMethod = TenantServiceGrpc.getListApiKeysMethod) == null) {
      synchronized (TenantServiceGrpc.class) {
        if ((getListApiKeysMethod = TenantServiceGrpc.getListApiKeysMethod) == null) {
          TenantServiceGrpc.getListApiKeysMethod = getListApiKeysMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ListApiKeysRequest, io.github.belfryhq.belfry.v1.ListApiKeysResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListApiKeys"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListApiKeysRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListApiKeysResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TenantServiceMethodDescriptorSupplier("ListApiKeys"))
              .build();
        }
      }
    }
    return getListApiKeysMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.RevokeApiKeyRequest,
      io.github.belfryhq.belfry.v1.RevokeApiKeyResponse> getRevokeApiKeyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RevokeApiKey",
      requestType = io.github.belfryhq.belfry.v1.RevokeApiKeyRequest.class,
      responseType = io.github.belfryhq.belfry.v1.RevokeApiKeyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.RevokeApiKeyRequest,
      io.github.belfryhq.belfry.v1.RevokeApiKeyResponse> getRevokeApiKeyMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.RevokeApiKeyRequest, io.github.belfryhq.belfry.v1.RevokeApiKeyResponse> getRevokeApiKeyMethod;
    if ((getRevokeApiKeyMethod = TenantServiceGrpc.getRevokeApiKeyMethod) == null) {
      synchronized (TenantServiceGrpc.class) {
        if ((getRevokeApiKeyMethod = TenantServiceGrpc.getRevokeApiKeyMethod) == null) {
          TenantServiceGrpc.getRevokeApiKeyMethod = getRevokeApiKeyMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.RevokeApiKeyRequest, io.github.belfryhq.belfry.v1.RevokeApiKeyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RevokeApiKey"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.RevokeApiKeyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.RevokeApiKeyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new TenantServiceMethodDescriptorSupplier("RevokeApiKey"))
              .build();
        }
      }
    }
    return getRevokeApiKeyMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static TenantServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<TenantServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<TenantServiceStub>() {
        @java.lang.Override
        public TenantServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new TenantServiceStub(channel, callOptions);
        }
      };
    return TenantServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static TenantServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<TenantServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<TenantServiceBlockingV2Stub>() {
        @java.lang.Override
        public TenantServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new TenantServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return TenantServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static TenantServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<TenantServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<TenantServiceBlockingStub>() {
        @java.lang.Override
        public TenantServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new TenantServiceBlockingStub(channel, callOptions);
        }
      };
    return TenantServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static TenantServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<TenantServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<TenantServiceFutureStub>() {
        @java.lang.Override
        public TenantServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new TenantServiceFutureStub(channel, callOptions);
        }
      };
    return TenantServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * TenantService provisions tenants and their API keys. Methods on tenants need a platform key; methods on keys need a
   * platform key, or a tenant key with scope ADMIN for the keys of its own tenant.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * CreateTenant makes a tenant. ALREADY_EXISTS if there is one of that name.
     * </pre>
     */
    default void createTenant(io.github.belfryhq.belfry.v1.CreateTenantRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateTenantResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateTenantMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetTenant answers one tenant; a tenant key may read its own.
     * </pre>
     */
    default void getTenant(io.github.belfryhq.belfry.v1.GetTenantRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetTenantResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetTenantMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListTenants lists tenants by name.
     * </pre>
     */
    default void listTenants(io.github.belfryhq.belfry.v1.ListTenantsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListTenantsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListTenantsMethod(), responseObserver);
    }

    /**
     * <pre>
     * CreateApiKey makes a key. The secret is in this answer and nowhere else, ever: with a repeated `request_id` the call
     * is refused with ALREADY_EXISTS and the key's id, so that a lost answer is settled by revoking that key.
     * </pre>
     */
    default void createApiKey(io.github.belfryhq.belfry.v1.CreateApiKeyRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateApiKeyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateApiKeyMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListApiKeys lists keys without secrets, newest first.
     * </pre>
     */
    default void listApiKeys(io.github.belfryhq.belfry.v1.ListApiKeysRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListApiKeysResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListApiKeysMethod(), responseObserver);
    }

    /**
     * <pre>
     * RevokeApiKey ends a key on every server within 10 seconds: calls with it are UNAUTHENTICATED, leases are no longer
     * given or extended through it. Repeating the call changes nothing.
     * </pre>
     */
    default void revokeApiKey(io.github.belfryhq.belfry.v1.RevokeApiKeyRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.RevokeApiKeyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRevokeApiKeyMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service TenantService.
   * <pre>
   * TenantService provisions tenants and their API keys. Methods on tenants need a platform key; methods on keys need a
   * platform key, or a tenant key with scope ADMIN for the keys of its own tenant.
   * </pre>
   */
  public static abstract class TenantServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return TenantServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service TenantService.
   * <pre>
   * TenantService provisions tenants and their API keys. Methods on tenants need a platform key; methods on keys need a
   * platform key, or a tenant key with scope ADMIN for the keys of its own tenant.
   * </pre>
   */
  public static final class TenantServiceStub
      extends io.grpc.stub.AbstractAsyncStub<TenantServiceStub> {
    private TenantServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected TenantServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new TenantServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateTenant makes a tenant. ALREADY_EXISTS if there is one of that name.
     * </pre>
     */
    public void createTenant(io.github.belfryhq.belfry.v1.CreateTenantRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateTenantResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateTenantMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetTenant answers one tenant; a tenant key may read its own.
     * </pre>
     */
    public void getTenant(io.github.belfryhq.belfry.v1.GetTenantRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetTenantResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetTenantMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListTenants lists tenants by name.
     * </pre>
     */
    public void listTenants(io.github.belfryhq.belfry.v1.ListTenantsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListTenantsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListTenantsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * CreateApiKey makes a key. The secret is in this answer and nowhere else, ever: with a repeated `request_id` the call
     * is refused with ALREADY_EXISTS and the key's id, so that a lost answer is settled by revoking that key.
     * </pre>
     */
    public void createApiKey(io.github.belfryhq.belfry.v1.CreateApiKeyRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateApiKeyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateApiKeyMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListApiKeys lists keys without secrets, newest first.
     * </pre>
     */
    public void listApiKeys(io.github.belfryhq.belfry.v1.ListApiKeysRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListApiKeysResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListApiKeysMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * RevokeApiKey ends a key on every server within 10 seconds: calls with it are UNAUTHENTICATED, leases are no longer
     * given or extended through it. Repeating the call changes nothing.
     * </pre>
     */
    public void revokeApiKey(io.github.belfryhq.belfry.v1.RevokeApiKeyRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.RevokeApiKeyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRevokeApiKeyMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service TenantService.
   * <pre>
   * TenantService provisions tenants and their API keys. Methods on tenants need a platform key; methods on keys need a
   * platform key, or a tenant key with scope ADMIN for the keys of its own tenant.
   * </pre>
   */
  public static final class TenantServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<TenantServiceBlockingV2Stub> {
    private TenantServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected TenantServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new TenantServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateTenant makes a tenant. ALREADY_EXISTS if there is one of that name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateTenantResponse createTenant(io.github.belfryhq.belfry.v1.CreateTenantRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateTenantMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetTenant answers one tenant; a tenant key may read its own.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetTenantResponse getTenant(io.github.belfryhq.belfry.v1.GetTenantRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetTenantMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListTenants lists tenants by name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListTenantsResponse listTenants(io.github.belfryhq.belfry.v1.ListTenantsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListTenantsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CreateApiKey makes a key. The secret is in this answer and nowhere else, ever: with a repeated `request_id` the call
     * is refused with ALREADY_EXISTS and the key's id, so that a lost answer is settled by revoking that key.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateApiKeyResponse createApiKey(io.github.belfryhq.belfry.v1.CreateApiKeyRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateApiKeyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListApiKeys lists keys without secrets, newest first.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListApiKeysResponse listApiKeys(io.github.belfryhq.belfry.v1.ListApiKeysRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListApiKeysMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * RevokeApiKey ends a key on every server within 10 seconds: calls with it are UNAUTHENTICATED, leases are no longer
     * given or extended through it. Repeating the call changes nothing.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.RevokeApiKeyResponse revokeApiKey(io.github.belfryhq.belfry.v1.RevokeApiKeyRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRevokeApiKeyMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service TenantService.
   * <pre>
   * TenantService provisions tenants and their API keys. Methods on tenants need a platform key; methods on keys need a
   * platform key, or a tenant key with scope ADMIN for the keys of its own tenant.
   * </pre>
   */
  public static final class TenantServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<TenantServiceBlockingStub> {
    private TenantServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected TenantServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new TenantServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateTenant makes a tenant. ALREADY_EXISTS if there is one of that name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateTenantResponse createTenant(io.github.belfryhq.belfry.v1.CreateTenantRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateTenantMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetTenant answers one tenant; a tenant key may read its own.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetTenantResponse getTenant(io.github.belfryhq.belfry.v1.GetTenantRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetTenantMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListTenants lists tenants by name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListTenantsResponse listTenants(io.github.belfryhq.belfry.v1.ListTenantsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListTenantsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CreateApiKey makes a key. The secret is in this answer and nowhere else, ever: with a repeated `request_id` the call
     * is refused with ALREADY_EXISTS and the key's id, so that a lost answer is settled by revoking that key.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateApiKeyResponse createApiKey(io.github.belfryhq.belfry.v1.CreateApiKeyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateApiKeyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListApiKeys lists keys without secrets, newest first.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListApiKeysResponse listApiKeys(io.github.belfryhq.belfry.v1.ListApiKeysRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListApiKeysMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * RevokeApiKey ends a key on every server within 10 seconds: calls with it are UNAUTHENTICATED, leases are no longer
     * given or extended through it. Repeating the call changes nothing.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.RevokeApiKeyResponse revokeApiKey(io.github.belfryhq.belfry.v1.RevokeApiKeyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRevokeApiKeyMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service TenantService.
   * <pre>
   * TenantService provisions tenants and their API keys. Methods on tenants need a platform key; methods on keys need a
   * platform key, or a tenant key with scope ADMIN for the keys of its own tenant.
   * </pre>
   */
  public static final class TenantServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<TenantServiceFutureStub> {
    private TenantServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected TenantServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new TenantServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateTenant makes a tenant. ALREADY_EXISTS if there is one of that name.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.CreateTenantResponse> createTenant(
        io.github.belfryhq.belfry.v1.CreateTenantRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateTenantMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetTenant answers one tenant; a tenant key may read its own.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.GetTenantResponse> getTenant(
        io.github.belfryhq.belfry.v1.GetTenantRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetTenantMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListTenants lists tenants by name.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ListTenantsResponse> listTenants(
        io.github.belfryhq.belfry.v1.ListTenantsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListTenantsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * CreateApiKey makes a key. The secret is in this answer and nowhere else, ever: with a repeated `request_id` the call
     * is refused with ALREADY_EXISTS and the key's id, so that a lost answer is settled by revoking that key.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.CreateApiKeyResponse> createApiKey(
        io.github.belfryhq.belfry.v1.CreateApiKeyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateApiKeyMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListApiKeys lists keys without secrets, newest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ListApiKeysResponse> listApiKeys(
        io.github.belfryhq.belfry.v1.ListApiKeysRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListApiKeysMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * RevokeApiKey ends a key on every server within 10 seconds: calls with it are UNAUTHENTICATED, leases are no longer
     * given or extended through it. Repeating the call changes nothing.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.RevokeApiKeyResponse> revokeApiKey(
        io.github.belfryhq.belfry.v1.RevokeApiKeyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRevokeApiKeyMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_CREATE_TENANT = 0;
  private static final int METHODID_GET_TENANT = 1;
  private static final int METHODID_LIST_TENANTS = 2;
  private static final int METHODID_CREATE_API_KEY = 3;
  private static final int METHODID_LIST_API_KEYS = 4;
  private static final int METHODID_REVOKE_API_KEY = 5;

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
        case METHODID_CREATE_TENANT:
          serviceImpl.createTenant((io.github.belfryhq.belfry.v1.CreateTenantRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateTenantResponse>) responseObserver);
          break;
        case METHODID_GET_TENANT:
          serviceImpl.getTenant((io.github.belfryhq.belfry.v1.GetTenantRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetTenantResponse>) responseObserver);
          break;
        case METHODID_LIST_TENANTS:
          serviceImpl.listTenants((io.github.belfryhq.belfry.v1.ListTenantsRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListTenantsResponse>) responseObserver);
          break;
        case METHODID_CREATE_API_KEY:
          serviceImpl.createApiKey((io.github.belfryhq.belfry.v1.CreateApiKeyRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateApiKeyResponse>) responseObserver);
          break;
        case METHODID_LIST_API_KEYS:
          serviceImpl.listApiKeys((io.github.belfryhq.belfry.v1.ListApiKeysRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListApiKeysResponse>) responseObserver);
          break;
        case METHODID_REVOKE_API_KEY:
          serviceImpl.revokeApiKey((io.github.belfryhq.belfry.v1.RevokeApiKeyRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.RevokeApiKeyResponse>) responseObserver);
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
          getCreateTenantMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.CreateTenantRequest,
              io.github.belfryhq.belfry.v1.CreateTenantResponse>(
                service, METHODID_CREATE_TENANT)))
        .addMethod(
          getGetTenantMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.GetTenantRequest,
              io.github.belfryhq.belfry.v1.GetTenantResponse>(
                service, METHODID_GET_TENANT)))
        .addMethod(
          getListTenantsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ListTenantsRequest,
              io.github.belfryhq.belfry.v1.ListTenantsResponse>(
                service, METHODID_LIST_TENANTS)))
        .addMethod(
          getCreateApiKeyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.CreateApiKeyRequest,
              io.github.belfryhq.belfry.v1.CreateApiKeyResponse>(
                service, METHODID_CREATE_API_KEY)))
        .addMethod(
          getListApiKeysMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ListApiKeysRequest,
              io.github.belfryhq.belfry.v1.ListApiKeysResponse>(
                service, METHODID_LIST_API_KEYS)))
        .addMethod(
          getRevokeApiKeyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.RevokeApiKeyRequest,
              io.github.belfryhq.belfry.v1.RevokeApiKeyResponse>(
                service, METHODID_REVOKE_API_KEY)))
        .build();
  }

  private static abstract class TenantServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    TenantServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.belfryhq.belfry.v1.TenantProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("TenantService");
    }
  }

  private static final class TenantServiceFileDescriptorSupplier
      extends TenantServiceBaseDescriptorSupplier {
    TenantServiceFileDescriptorSupplier() {}
  }

  private static final class TenantServiceMethodDescriptorSupplier
      extends TenantServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    TenantServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (TenantServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new TenantServiceFileDescriptorSupplier())
              .addMethod(getCreateTenantMethod())
              .addMethod(getGetTenantMethod())
              .addMethod(getListTenantsMethod())
              .addMethod(getCreateApiKeyMethod())
              .addMethod(getListApiKeysMethod())
              .addMethod(getRevokeApiKeyMethod())
              .build();
        }
      }
    }
    return result;
  }
}
