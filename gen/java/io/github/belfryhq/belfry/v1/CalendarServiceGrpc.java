package io.github.belfryhq.belfry.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * CalendarService manages calendars: named sets of days on which schedules that name them do not fire.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class CalendarServiceGrpc {

  private CalendarServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "belfry.v1.CalendarService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateCalendarRequest,
      io.github.belfryhq.belfry.v1.CreateCalendarResponse> getCreateCalendarMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateCalendar",
      requestType = io.github.belfryhq.belfry.v1.CreateCalendarRequest.class,
      responseType = io.github.belfryhq.belfry.v1.CreateCalendarResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateCalendarRequest,
      io.github.belfryhq.belfry.v1.CreateCalendarResponse> getCreateCalendarMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateCalendarRequest, io.github.belfryhq.belfry.v1.CreateCalendarResponse> getCreateCalendarMethod;
    if ((getCreateCalendarMethod = CalendarServiceGrpc.getCreateCalendarMethod) == null) {
      synchronized (CalendarServiceGrpc.class) {
        if ((getCreateCalendarMethod = CalendarServiceGrpc.getCreateCalendarMethod) == null) {
          CalendarServiceGrpc.getCreateCalendarMethod = getCreateCalendarMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.CreateCalendarRequest, io.github.belfryhq.belfry.v1.CreateCalendarResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateCalendar"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateCalendarRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateCalendarResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CalendarServiceMethodDescriptorSupplier("CreateCalendar"))
              .build();
        }
      }
    }
    return getCreateCalendarMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetCalendarRequest,
      io.github.belfryhq.belfry.v1.GetCalendarResponse> getGetCalendarMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetCalendar",
      requestType = io.github.belfryhq.belfry.v1.GetCalendarRequest.class,
      responseType = io.github.belfryhq.belfry.v1.GetCalendarResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetCalendarRequest,
      io.github.belfryhq.belfry.v1.GetCalendarResponse> getGetCalendarMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetCalendarRequest, io.github.belfryhq.belfry.v1.GetCalendarResponse> getGetCalendarMethod;
    if ((getGetCalendarMethod = CalendarServiceGrpc.getGetCalendarMethod) == null) {
      synchronized (CalendarServiceGrpc.class) {
        if ((getGetCalendarMethod = CalendarServiceGrpc.getGetCalendarMethod) == null) {
          CalendarServiceGrpc.getGetCalendarMethod = getGetCalendarMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.GetCalendarRequest, io.github.belfryhq.belfry.v1.GetCalendarResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetCalendar"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetCalendarRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetCalendarResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CalendarServiceMethodDescriptorSupplier("GetCalendar"))
              .build();
        }
      }
    }
    return getGetCalendarMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListCalendarsRequest,
      io.github.belfryhq.belfry.v1.ListCalendarsResponse> getListCalendarsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListCalendars",
      requestType = io.github.belfryhq.belfry.v1.ListCalendarsRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ListCalendarsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListCalendarsRequest,
      io.github.belfryhq.belfry.v1.ListCalendarsResponse> getListCalendarsMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListCalendarsRequest, io.github.belfryhq.belfry.v1.ListCalendarsResponse> getListCalendarsMethod;
    if ((getListCalendarsMethod = CalendarServiceGrpc.getListCalendarsMethod) == null) {
      synchronized (CalendarServiceGrpc.class) {
        if ((getListCalendarsMethod = CalendarServiceGrpc.getListCalendarsMethod) == null) {
          CalendarServiceGrpc.getListCalendarsMethod = getListCalendarsMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ListCalendarsRequest, io.github.belfryhq.belfry.v1.ListCalendarsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListCalendars"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListCalendarsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListCalendarsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CalendarServiceMethodDescriptorSupplier("ListCalendars"))
              .build();
        }
      }
    }
    return getListCalendarsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.UpdateCalendarRequest,
      io.github.belfryhq.belfry.v1.UpdateCalendarResponse> getUpdateCalendarMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateCalendar",
      requestType = io.github.belfryhq.belfry.v1.UpdateCalendarRequest.class,
      responseType = io.github.belfryhq.belfry.v1.UpdateCalendarResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.UpdateCalendarRequest,
      io.github.belfryhq.belfry.v1.UpdateCalendarResponse> getUpdateCalendarMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.UpdateCalendarRequest, io.github.belfryhq.belfry.v1.UpdateCalendarResponse> getUpdateCalendarMethod;
    if ((getUpdateCalendarMethod = CalendarServiceGrpc.getUpdateCalendarMethod) == null) {
      synchronized (CalendarServiceGrpc.class) {
        if ((getUpdateCalendarMethod = CalendarServiceGrpc.getUpdateCalendarMethod) == null) {
          CalendarServiceGrpc.getUpdateCalendarMethod = getUpdateCalendarMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.UpdateCalendarRequest, io.github.belfryhq.belfry.v1.UpdateCalendarResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateCalendar"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.UpdateCalendarRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.UpdateCalendarResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CalendarServiceMethodDescriptorSupplier("UpdateCalendar"))
              .build();
        }
      }
    }
    return getUpdateCalendarMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.DeleteCalendarRequest,
      io.github.belfryhq.belfry.v1.DeleteCalendarResponse> getDeleteCalendarMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteCalendar",
      requestType = io.github.belfryhq.belfry.v1.DeleteCalendarRequest.class,
      responseType = io.github.belfryhq.belfry.v1.DeleteCalendarResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.DeleteCalendarRequest,
      io.github.belfryhq.belfry.v1.DeleteCalendarResponse> getDeleteCalendarMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.DeleteCalendarRequest, io.github.belfryhq.belfry.v1.DeleteCalendarResponse> getDeleteCalendarMethod;
    if ((getDeleteCalendarMethod = CalendarServiceGrpc.getDeleteCalendarMethod) == null) {
      synchronized (CalendarServiceGrpc.class) {
        if ((getDeleteCalendarMethod = CalendarServiceGrpc.getDeleteCalendarMethod) == null) {
          CalendarServiceGrpc.getDeleteCalendarMethod = getDeleteCalendarMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.DeleteCalendarRequest, io.github.belfryhq.belfry.v1.DeleteCalendarResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteCalendar"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.DeleteCalendarRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.DeleteCalendarResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CalendarServiceMethodDescriptorSupplier("DeleteCalendar"))
              .build();
        }
      }
    }
    return getDeleteCalendarMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static CalendarServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<CalendarServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<CalendarServiceStub>() {
        @java.lang.Override
        public CalendarServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new CalendarServiceStub(channel, callOptions);
        }
      };
    return CalendarServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static CalendarServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<CalendarServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<CalendarServiceBlockingV2Stub>() {
        @java.lang.Override
        public CalendarServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new CalendarServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return CalendarServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static CalendarServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<CalendarServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<CalendarServiceBlockingStub>() {
        @java.lang.Override
        public CalendarServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new CalendarServiceBlockingStub(channel, callOptions);
        }
      };
    return CalendarServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static CalendarServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<CalendarServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<CalendarServiceFutureStub>() {
        @java.lang.Override
        public CalendarServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new CalendarServiceFutureStub(channel, callOptions);
        }
      };
    return CalendarServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * CalendarService manages calendars: named sets of days on which schedules that name them do not fire.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * CreateCalendar makes a calendar. ALREADY_EXISTS if there is one of that name. RESOURCE_EXHAUSTED (LIMIT_REACHED) if the
     * tenant has 1,000 of them.
     * </pre>
     */
    default void createCalendar(io.github.belfryhq.belfry.v1.CreateCalendarRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateCalendarResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateCalendarMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetCalendar answers one calendar. NOT_FOUND (CALENDAR_NOT_FOUND) otherwise.
     * </pre>
     */
    default void getCalendar(io.github.belfryhq.belfry.v1.GetCalendarRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetCalendarResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetCalendarMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListCalendars lists the calendars of one tenant by name.
     * </pre>
     */
    default void listCalendars(io.github.belfryhq.belfry.v1.ListCalendarsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListCalendarsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListCalendarsMethod(), responseObserver);
    }

    /**
     * <pre>
     * UpdateCalendar changes a calendar, and all schedules that name it: each gets a new etag. When it has answered, no
     * occurrence on a day that it excludes now, and that had not been leased before, is leased any more; and days that it
     * excludes no longer count again, as far as nothing has become of their nominal times yet. A call that breaks off
     * half-way is completed by repeating it, or by the server within a minute.
     * </pre>
     */
    default void updateCalendar(io.github.belfryhq.belfry.v1.UpdateCalendarRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.UpdateCalendarResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateCalendarMethod(), responseObserver);
    }

    /**
     * <pre>
     * DeleteCalendar removes a calendar. FAILED_PRECONDITION (CALENDAR_IN_USE) while schedules name it; the message says how
     * many, and one of them.
     * </pre>
     */
    default void deleteCalendar(io.github.belfryhq.belfry.v1.DeleteCalendarRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.DeleteCalendarResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteCalendarMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service CalendarService.
   * <pre>
   * CalendarService manages calendars: named sets of days on which schedules that name them do not fire.
   * </pre>
   */
  public static abstract class CalendarServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return CalendarServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service CalendarService.
   * <pre>
   * CalendarService manages calendars: named sets of days on which schedules that name them do not fire.
   * </pre>
   */
  public static final class CalendarServiceStub
      extends io.grpc.stub.AbstractAsyncStub<CalendarServiceStub> {
    private CalendarServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected CalendarServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new CalendarServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateCalendar makes a calendar. ALREADY_EXISTS if there is one of that name. RESOURCE_EXHAUSTED (LIMIT_REACHED) if the
     * tenant has 1,000 of them.
     * </pre>
     */
    public void createCalendar(io.github.belfryhq.belfry.v1.CreateCalendarRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateCalendarResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateCalendarMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetCalendar answers one calendar. NOT_FOUND (CALENDAR_NOT_FOUND) otherwise.
     * </pre>
     */
    public void getCalendar(io.github.belfryhq.belfry.v1.GetCalendarRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetCalendarResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetCalendarMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListCalendars lists the calendars of one tenant by name.
     * </pre>
     */
    public void listCalendars(io.github.belfryhq.belfry.v1.ListCalendarsRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListCalendarsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListCalendarsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * UpdateCalendar changes a calendar, and all schedules that name it: each gets a new etag. When it has answered, no
     * occurrence on a day that it excludes now, and that had not been leased before, is leased any more; and days that it
     * excludes no longer count again, as far as nothing has become of their nominal times yet. A call that breaks off
     * half-way is completed by repeating it, or by the server within a minute.
     * </pre>
     */
    public void updateCalendar(io.github.belfryhq.belfry.v1.UpdateCalendarRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.UpdateCalendarResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateCalendarMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * DeleteCalendar removes a calendar. FAILED_PRECONDITION (CALENDAR_IN_USE) while schedules name it; the message says how
     * many, and one of them.
     * </pre>
     */
    public void deleteCalendar(io.github.belfryhq.belfry.v1.DeleteCalendarRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.DeleteCalendarResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteCalendarMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service CalendarService.
   * <pre>
   * CalendarService manages calendars: named sets of days on which schedules that name them do not fire.
   * </pre>
   */
  public static final class CalendarServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<CalendarServiceBlockingV2Stub> {
    private CalendarServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected CalendarServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new CalendarServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateCalendar makes a calendar. ALREADY_EXISTS if there is one of that name. RESOURCE_EXHAUSTED (LIMIT_REACHED) if the
     * tenant has 1,000 of them.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateCalendarResponse createCalendar(io.github.belfryhq.belfry.v1.CreateCalendarRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateCalendarMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetCalendar answers one calendar. NOT_FOUND (CALENDAR_NOT_FOUND) otherwise.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetCalendarResponse getCalendar(io.github.belfryhq.belfry.v1.GetCalendarRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetCalendarMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListCalendars lists the calendars of one tenant by name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListCalendarsResponse listCalendars(io.github.belfryhq.belfry.v1.ListCalendarsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListCalendarsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * UpdateCalendar changes a calendar, and all schedules that name it: each gets a new etag. When it has answered, no
     * occurrence on a day that it excludes now, and that had not been leased before, is leased any more; and days that it
     * excludes no longer count again, as far as nothing has become of their nominal times yet. A call that breaks off
     * half-way is completed by repeating it, or by the server within a minute.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.UpdateCalendarResponse updateCalendar(io.github.belfryhq.belfry.v1.UpdateCalendarRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getUpdateCalendarMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DeleteCalendar removes a calendar. FAILED_PRECONDITION (CALENDAR_IN_USE) while schedules name it; the message says how
     * many, and one of them.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.DeleteCalendarResponse deleteCalendar(io.github.belfryhq.belfry.v1.DeleteCalendarRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteCalendarMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service CalendarService.
   * <pre>
   * CalendarService manages calendars: named sets of days on which schedules that name them do not fire.
   * </pre>
   */
  public static final class CalendarServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<CalendarServiceBlockingStub> {
    private CalendarServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected CalendarServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new CalendarServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateCalendar makes a calendar. ALREADY_EXISTS if there is one of that name. RESOURCE_EXHAUSTED (LIMIT_REACHED) if the
     * tenant has 1,000 of them.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateCalendarResponse createCalendar(io.github.belfryhq.belfry.v1.CreateCalendarRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateCalendarMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetCalendar answers one calendar. NOT_FOUND (CALENDAR_NOT_FOUND) otherwise.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetCalendarResponse getCalendar(io.github.belfryhq.belfry.v1.GetCalendarRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetCalendarMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListCalendars lists the calendars of one tenant by name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListCalendarsResponse listCalendars(io.github.belfryhq.belfry.v1.ListCalendarsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListCalendarsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * UpdateCalendar changes a calendar, and all schedules that name it: each gets a new etag. When it has answered, no
     * occurrence on a day that it excludes now, and that had not been leased before, is leased any more; and days that it
     * excludes no longer count again, as far as nothing has become of their nominal times yet. A call that breaks off
     * half-way is completed by repeating it, or by the server within a minute.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.UpdateCalendarResponse updateCalendar(io.github.belfryhq.belfry.v1.UpdateCalendarRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateCalendarMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DeleteCalendar removes a calendar. FAILED_PRECONDITION (CALENDAR_IN_USE) while schedules name it; the message says how
     * many, and one of them.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.DeleteCalendarResponse deleteCalendar(io.github.belfryhq.belfry.v1.DeleteCalendarRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteCalendarMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service CalendarService.
   * <pre>
   * CalendarService manages calendars: named sets of days on which schedules that name them do not fire.
   * </pre>
   */
  public static final class CalendarServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<CalendarServiceFutureStub> {
    private CalendarServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected CalendarServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new CalendarServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateCalendar makes a calendar. ALREADY_EXISTS if there is one of that name. RESOURCE_EXHAUSTED (LIMIT_REACHED) if the
     * tenant has 1,000 of them.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.CreateCalendarResponse> createCalendar(
        io.github.belfryhq.belfry.v1.CreateCalendarRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateCalendarMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetCalendar answers one calendar. NOT_FOUND (CALENDAR_NOT_FOUND) otherwise.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.GetCalendarResponse> getCalendar(
        io.github.belfryhq.belfry.v1.GetCalendarRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetCalendarMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListCalendars lists the calendars of one tenant by name.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ListCalendarsResponse> listCalendars(
        io.github.belfryhq.belfry.v1.ListCalendarsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListCalendarsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * UpdateCalendar changes a calendar, and all schedules that name it: each gets a new etag. When it has answered, no
     * occurrence on a day that it excludes now, and that had not been leased before, is leased any more; and days that it
     * excludes no longer count again, as far as nothing has become of their nominal times yet. A call that breaks off
     * half-way is completed by repeating it, or by the server within a minute.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.UpdateCalendarResponse> updateCalendar(
        io.github.belfryhq.belfry.v1.UpdateCalendarRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateCalendarMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * DeleteCalendar removes a calendar. FAILED_PRECONDITION (CALENDAR_IN_USE) while schedules name it; the message says how
     * many, and one of them.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.DeleteCalendarResponse> deleteCalendar(
        io.github.belfryhq.belfry.v1.DeleteCalendarRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteCalendarMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_CREATE_CALENDAR = 0;
  private static final int METHODID_GET_CALENDAR = 1;
  private static final int METHODID_LIST_CALENDARS = 2;
  private static final int METHODID_UPDATE_CALENDAR = 3;
  private static final int METHODID_DELETE_CALENDAR = 4;

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
        case METHODID_CREATE_CALENDAR:
          serviceImpl.createCalendar((io.github.belfryhq.belfry.v1.CreateCalendarRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateCalendarResponse>) responseObserver);
          break;
        case METHODID_GET_CALENDAR:
          serviceImpl.getCalendar((io.github.belfryhq.belfry.v1.GetCalendarRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetCalendarResponse>) responseObserver);
          break;
        case METHODID_LIST_CALENDARS:
          serviceImpl.listCalendars((io.github.belfryhq.belfry.v1.ListCalendarsRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListCalendarsResponse>) responseObserver);
          break;
        case METHODID_UPDATE_CALENDAR:
          serviceImpl.updateCalendar((io.github.belfryhq.belfry.v1.UpdateCalendarRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.UpdateCalendarResponse>) responseObserver);
          break;
        case METHODID_DELETE_CALENDAR:
          serviceImpl.deleteCalendar((io.github.belfryhq.belfry.v1.DeleteCalendarRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.DeleteCalendarResponse>) responseObserver);
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
          getCreateCalendarMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.CreateCalendarRequest,
              io.github.belfryhq.belfry.v1.CreateCalendarResponse>(
                service, METHODID_CREATE_CALENDAR)))
        .addMethod(
          getGetCalendarMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.GetCalendarRequest,
              io.github.belfryhq.belfry.v1.GetCalendarResponse>(
                service, METHODID_GET_CALENDAR)))
        .addMethod(
          getListCalendarsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ListCalendarsRequest,
              io.github.belfryhq.belfry.v1.ListCalendarsResponse>(
                service, METHODID_LIST_CALENDARS)))
        .addMethod(
          getUpdateCalendarMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.UpdateCalendarRequest,
              io.github.belfryhq.belfry.v1.UpdateCalendarResponse>(
                service, METHODID_UPDATE_CALENDAR)))
        .addMethod(
          getDeleteCalendarMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.DeleteCalendarRequest,
              io.github.belfryhq.belfry.v1.DeleteCalendarResponse>(
                service, METHODID_DELETE_CALENDAR)))
        .build();
  }

  private static abstract class CalendarServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    CalendarServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.belfryhq.belfry.v1.CalendarProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("CalendarService");
    }
  }

  private static final class CalendarServiceFileDescriptorSupplier
      extends CalendarServiceBaseDescriptorSupplier {
    CalendarServiceFileDescriptorSupplier() {}
  }

  private static final class CalendarServiceMethodDescriptorSupplier
      extends CalendarServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    CalendarServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (CalendarServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new CalendarServiceFileDescriptorSupplier())
              .addMethod(getCreateCalendarMethod())
              .addMethod(getGetCalendarMethod())
              .addMethod(getListCalendarsMethod())
              .addMethod(getUpdateCalendarMethod())
              .addMethod(getDeleteCalendarMethod())
              .build();
        }
      }
    }
    return result;
  }
}
