package io.github.belfryhq.belfry.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * ScheduleService manages recurring work: a schedule makes a job at each of its nominal times.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ScheduleServiceGrpc {

  private ScheduleServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "belfry.v1.ScheduleService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateScheduleRequest,
      io.github.belfryhq.belfry.v1.CreateScheduleResponse> getCreateScheduleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateSchedule",
      requestType = io.github.belfryhq.belfry.v1.CreateScheduleRequest.class,
      responseType = io.github.belfryhq.belfry.v1.CreateScheduleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateScheduleRequest,
      io.github.belfryhq.belfry.v1.CreateScheduleResponse> getCreateScheduleMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.CreateScheduleRequest, io.github.belfryhq.belfry.v1.CreateScheduleResponse> getCreateScheduleMethod;
    if ((getCreateScheduleMethod = ScheduleServiceGrpc.getCreateScheduleMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getCreateScheduleMethod = ScheduleServiceGrpc.getCreateScheduleMethod) == null) {
          ScheduleServiceGrpc.getCreateScheduleMethod = getCreateScheduleMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.CreateScheduleRequest, io.github.belfryhq.belfry.v1.CreateScheduleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateSchedule"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateScheduleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.CreateScheduleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("CreateSchedule"))
              .build();
        }
      }
    }
    return getCreateScheduleMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetScheduleRequest,
      io.github.belfryhq.belfry.v1.GetScheduleResponse> getGetScheduleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetSchedule",
      requestType = io.github.belfryhq.belfry.v1.GetScheduleRequest.class,
      responseType = io.github.belfryhq.belfry.v1.GetScheduleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetScheduleRequest,
      io.github.belfryhq.belfry.v1.GetScheduleResponse> getGetScheduleMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetScheduleRequest, io.github.belfryhq.belfry.v1.GetScheduleResponse> getGetScheduleMethod;
    if ((getGetScheduleMethod = ScheduleServiceGrpc.getGetScheduleMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getGetScheduleMethod = ScheduleServiceGrpc.getGetScheduleMethod) == null) {
          ScheduleServiceGrpc.getGetScheduleMethod = getGetScheduleMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.GetScheduleRequest, io.github.belfryhq.belfry.v1.GetScheduleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetSchedule"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetScheduleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetScheduleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("GetSchedule"))
              .build();
        }
      }
    }
    return getGetScheduleMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListSchedulesRequest,
      io.github.belfryhq.belfry.v1.ListSchedulesResponse> getListSchedulesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListSchedules",
      requestType = io.github.belfryhq.belfry.v1.ListSchedulesRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ListSchedulesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListSchedulesRequest,
      io.github.belfryhq.belfry.v1.ListSchedulesResponse> getListSchedulesMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListSchedulesRequest, io.github.belfryhq.belfry.v1.ListSchedulesResponse> getListSchedulesMethod;
    if ((getListSchedulesMethod = ScheduleServiceGrpc.getListSchedulesMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getListSchedulesMethod = ScheduleServiceGrpc.getListSchedulesMethod) == null) {
          ScheduleServiceGrpc.getListSchedulesMethod = getListSchedulesMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ListSchedulesRequest, io.github.belfryhq.belfry.v1.ListSchedulesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListSchedules"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListSchedulesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListSchedulesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("ListSchedules"))
              .build();
        }
      }
    }
    return getListSchedulesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.UpdateScheduleRequest,
      io.github.belfryhq.belfry.v1.UpdateScheduleResponse> getUpdateScheduleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateSchedule",
      requestType = io.github.belfryhq.belfry.v1.UpdateScheduleRequest.class,
      responseType = io.github.belfryhq.belfry.v1.UpdateScheduleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.UpdateScheduleRequest,
      io.github.belfryhq.belfry.v1.UpdateScheduleResponse> getUpdateScheduleMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.UpdateScheduleRequest, io.github.belfryhq.belfry.v1.UpdateScheduleResponse> getUpdateScheduleMethod;
    if ((getUpdateScheduleMethod = ScheduleServiceGrpc.getUpdateScheduleMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getUpdateScheduleMethod = ScheduleServiceGrpc.getUpdateScheduleMethod) == null) {
          ScheduleServiceGrpc.getUpdateScheduleMethod = getUpdateScheduleMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.UpdateScheduleRequest, io.github.belfryhq.belfry.v1.UpdateScheduleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateSchedule"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.UpdateScheduleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.UpdateScheduleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("UpdateSchedule"))
              .build();
        }
      }
    }
    return getUpdateScheduleMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.DeleteScheduleRequest,
      io.github.belfryhq.belfry.v1.DeleteScheduleResponse> getDeleteScheduleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteSchedule",
      requestType = io.github.belfryhq.belfry.v1.DeleteScheduleRequest.class,
      responseType = io.github.belfryhq.belfry.v1.DeleteScheduleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.DeleteScheduleRequest,
      io.github.belfryhq.belfry.v1.DeleteScheduleResponse> getDeleteScheduleMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.DeleteScheduleRequest, io.github.belfryhq.belfry.v1.DeleteScheduleResponse> getDeleteScheduleMethod;
    if ((getDeleteScheduleMethod = ScheduleServiceGrpc.getDeleteScheduleMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getDeleteScheduleMethod = ScheduleServiceGrpc.getDeleteScheduleMethod) == null) {
          ScheduleServiceGrpc.getDeleteScheduleMethod = getDeleteScheduleMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.DeleteScheduleRequest, io.github.belfryhq.belfry.v1.DeleteScheduleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteSchedule"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.DeleteScheduleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.DeleteScheduleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("DeleteSchedule"))
              .build();
        }
      }
    }
    return getDeleteScheduleMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.PauseScheduleRequest,
      io.github.belfryhq.belfry.v1.PauseScheduleResponse> getPauseScheduleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PauseSchedule",
      requestType = io.github.belfryhq.belfry.v1.PauseScheduleRequest.class,
      responseType = io.github.belfryhq.belfry.v1.PauseScheduleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.PauseScheduleRequest,
      io.github.belfryhq.belfry.v1.PauseScheduleResponse> getPauseScheduleMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.PauseScheduleRequest, io.github.belfryhq.belfry.v1.PauseScheduleResponse> getPauseScheduleMethod;
    if ((getPauseScheduleMethod = ScheduleServiceGrpc.getPauseScheduleMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getPauseScheduleMethod = ScheduleServiceGrpc.getPauseScheduleMethod) == null) {
          ScheduleServiceGrpc.getPauseScheduleMethod = getPauseScheduleMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.PauseScheduleRequest, io.github.belfryhq.belfry.v1.PauseScheduleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PauseSchedule"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.PauseScheduleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.PauseScheduleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("PauseSchedule"))
              .build();
        }
      }
    }
    return getPauseScheduleMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ResumeScheduleRequest,
      io.github.belfryhq.belfry.v1.ResumeScheduleResponse> getResumeScheduleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ResumeSchedule",
      requestType = io.github.belfryhq.belfry.v1.ResumeScheduleRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ResumeScheduleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ResumeScheduleRequest,
      io.github.belfryhq.belfry.v1.ResumeScheduleResponse> getResumeScheduleMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ResumeScheduleRequest, io.github.belfryhq.belfry.v1.ResumeScheduleResponse> getResumeScheduleMethod;
    if ((getResumeScheduleMethod = ScheduleServiceGrpc.getResumeScheduleMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getResumeScheduleMethod = ScheduleServiceGrpc.getResumeScheduleMethod) == null) {
          ScheduleServiceGrpc.getResumeScheduleMethod = getResumeScheduleMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ResumeScheduleRequest, io.github.belfryhq.belfry.v1.ResumeScheduleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ResumeSchedule"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ResumeScheduleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ResumeScheduleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("ResumeSchedule"))
              .build();
        }
      }
    }
    return getResumeScheduleMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest,
      io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse> getBatchCreateSchedulesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BatchCreateSchedules",
      requestType = io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest.class,
      responseType = io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest,
      io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse> getBatchCreateSchedulesMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest, io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse> getBatchCreateSchedulesMethod;
    if ((getBatchCreateSchedulesMethod = ScheduleServiceGrpc.getBatchCreateSchedulesMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getBatchCreateSchedulesMethod = ScheduleServiceGrpc.getBatchCreateSchedulesMethod) == null) {
          ScheduleServiceGrpc.getBatchCreateSchedulesMethod = getBatchCreateSchedulesMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest, io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BatchCreateSchedules"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("BatchCreateSchedules"))
              .build();
        }
      }
    }
    return getBatchCreateSchedulesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.RunScheduleRequest,
      io.github.belfryhq.belfry.v1.RunScheduleResponse> getRunScheduleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RunSchedule",
      requestType = io.github.belfryhq.belfry.v1.RunScheduleRequest.class,
      responseType = io.github.belfryhq.belfry.v1.RunScheduleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.RunScheduleRequest,
      io.github.belfryhq.belfry.v1.RunScheduleResponse> getRunScheduleMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.RunScheduleRequest, io.github.belfryhq.belfry.v1.RunScheduleResponse> getRunScheduleMethod;
    if ((getRunScheduleMethod = ScheduleServiceGrpc.getRunScheduleMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getRunScheduleMethod = ScheduleServiceGrpc.getRunScheduleMethod) == null) {
          ScheduleServiceGrpc.getRunScheduleMethod = getRunScheduleMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.RunScheduleRequest, io.github.belfryhq.belfry.v1.RunScheduleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RunSchedule"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.RunScheduleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.RunScheduleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("RunSchedule"))
              .build();
        }
      }
    }
    return getRunScheduleMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.BackfillScheduleRequest,
      io.github.belfryhq.belfry.v1.BackfillScheduleResponse> getBackfillScheduleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BackfillSchedule",
      requestType = io.github.belfryhq.belfry.v1.BackfillScheduleRequest.class,
      responseType = io.github.belfryhq.belfry.v1.BackfillScheduleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.BackfillScheduleRequest,
      io.github.belfryhq.belfry.v1.BackfillScheduleResponse> getBackfillScheduleMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.BackfillScheduleRequest, io.github.belfryhq.belfry.v1.BackfillScheduleResponse> getBackfillScheduleMethod;
    if ((getBackfillScheduleMethod = ScheduleServiceGrpc.getBackfillScheduleMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getBackfillScheduleMethod = ScheduleServiceGrpc.getBackfillScheduleMethod) == null) {
          ScheduleServiceGrpc.getBackfillScheduleMethod = getBackfillScheduleMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.BackfillScheduleRequest, io.github.belfryhq.belfry.v1.BackfillScheduleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BackfillSchedule"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.BackfillScheduleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.BackfillScheduleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("BackfillSchedule"))
              .build();
        }
      }
    }
    return getBackfillScheduleMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListOccurrencesRequest,
      io.github.belfryhq.belfry.v1.ListOccurrencesResponse> getListOccurrencesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListOccurrences",
      requestType = io.github.belfryhq.belfry.v1.ListOccurrencesRequest.class,
      responseType = io.github.belfryhq.belfry.v1.ListOccurrencesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListOccurrencesRequest,
      io.github.belfryhq.belfry.v1.ListOccurrencesResponse> getListOccurrencesMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.ListOccurrencesRequest, io.github.belfryhq.belfry.v1.ListOccurrencesResponse> getListOccurrencesMethod;
    if ((getListOccurrencesMethod = ScheduleServiceGrpc.getListOccurrencesMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getListOccurrencesMethod = ScheduleServiceGrpc.getListOccurrencesMethod) == null) {
          ScheduleServiceGrpc.getListOccurrencesMethod = getListOccurrencesMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.ListOccurrencesRequest, io.github.belfryhq.belfry.v1.ListOccurrencesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListOccurrences"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListOccurrencesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.ListOccurrencesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("ListOccurrences"))
              .build();
        }
      }
    }
    return getListOccurrencesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetForecastRequest,
      io.github.belfryhq.belfry.v1.GetForecastResponse> getGetForecastMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetForecast",
      requestType = io.github.belfryhq.belfry.v1.GetForecastRequest.class,
      responseType = io.github.belfryhq.belfry.v1.GetForecastResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetForecastRequest,
      io.github.belfryhq.belfry.v1.GetForecastResponse> getGetForecastMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.GetForecastRequest, io.github.belfryhq.belfry.v1.GetForecastResponse> getGetForecastMethod;
    if ((getGetForecastMethod = ScheduleServiceGrpc.getGetForecastMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getGetForecastMethod = ScheduleServiceGrpc.getGetForecastMethod) == null) {
          ScheduleServiceGrpc.getGetForecastMethod = getGetForecastMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.GetForecastRequest, io.github.belfryhq.belfry.v1.GetForecastResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetForecast"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetForecastRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.GetForecastResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("GetForecast"))
              .build();
        }
      }
    }
    return getGetForecastMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.PreviewScheduleRequest,
      io.github.belfryhq.belfry.v1.PreviewScheduleResponse> getPreviewScheduleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PreviewSchedule",
      requestType = io.github.belfryhq.belfry.v1.PreviewScheduleRequest.class,
      responseType = io.github.belfryhq.belfry.v1.PreviewScheduleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.PreviewScheduleRequest,
      io.github.belfryhq.belfry.v1.PreviewScheduleResponse> getPreviewScheduleMethod() {
    io.grpc.MethodDescriptor<io.github.belfryhq.belfry.v1.PreviewScheduleRequest, io.github.belfryhq.belfry.v1.PreviewScheduleResponse> getPreviewScheduleMethod;
    if ((getPreviewScheduleMethod = ScheduleServiceGrpc.getPreviewScheduleMethod) == null) {
      synchronized (ScheduleServiceGrpc.class) {
        if ((getPreviewScheduleMethod = ScheduleServiceGrpc.getPreviewScheduleMethod) == null) {
          ScheduleServiceGrpc.getPreviewScheduleMethod = getPreviewScheduleMethod =
              io.grpc.MethodDescriptor.<io.github.belfryhq.belfry.v1.PreviewScheduleRequest, io.github.belfryhq.belfry.v1.PreviewScheduleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PreviewSchedule"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.PreviewScheduleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.github.belfryhq.belfry.v1.PreviewScheduleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ScheduleServiceMethodDescriptorSupplier("PreviewSchedule"))
              .build();
        }
      }
    }
    return getPreviewScheduleMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ScheduleServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceStub>() {
        @java.lang.Override
        public ScheduleServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ScheduleServiceStub(channel, callOptions);
        }
      };
    return ScheduleServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static ScheduleServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceBlockingV2Stub>() {
        @java.lang.Override
        public ScheduleServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ScheduleServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return ScheduleServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ScheduleServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceBlockingStub>() {
        @java.lang.Override
        public ScheduleServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ScheduleServiceBlockingStub(channel, callOptions);
        }
      };
    return ScheduleServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ScheduleServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ScheduleServiceFutureStub>() {
        @java.lang.Override
        public ScheduleServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ScheduleServiceFutureStub(channel, callOptions);
        }
      };
    return ScheduleServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * ScheduleService manages recurring work: a schedule makes a job at each of its nominal times.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * CreateSchedule makes a schedule; its first occurrence is the first nominal time after the call. ALREADY_EXISTS if
     * there is one of that name. INVALID_ARGUMENT for a rule that never fires. NOT_FOUND (QUEUE_NOT_FOUND) if the queue of
     * `job` does not exist, unless the tenant lets queues appear by themselves.
     * </pre>
     */
    default void createSchedule(io.github.belfryhq.belfry.v1.CreateScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateScheduleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateScheduleMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetSchedule answers one schedule. NOT_FOUND (SCHEDULE_NOT_FOUND) otherwise.
     * </pre>
     */
    default void getSchedule(io.github.belfryhq.belfry.v1.GetScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetScheduleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetScheduleMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListSchedules lists the schedules of one tenant by name.
     * </pre>
     */
    default void listSchedules(io.github.belfryhq.belfry.v1.ListSchedulesRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListSchedulesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListSchedulesMethod(), responseObserver);
    }

    /**
     * <pre>
     * UpdateSchedule changes a schedule. When it has answered, no occurrence of the old rule or template that had not been
     * leased before is leased any more: such jobs end as CANCELLED (SCHEDULE_CHANGED). A changed rule counts from the call
     * on: nominal times that passed before are not made up for. If only `job` has changed, the nominal times of the jobs
     * that were taken back get new ones.
     * </pre>
     */
    default void updateSchedule(io.github.belfryhq.belfry.v1.UpdateScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.UpdateScheduleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateScheduleMethod(), responseObserver);
    }

    /**
     * <pre>
     * DeleteSchedule removes a schedule: when it has answered, no occurrence that was not leased before is leased, manual
     * runs and backfills among them. Those already leased run on, and are retried.
     * </pre>
     */
    default void deleteSchedule(io.github.belfryhq.belfry.v1.DeleteScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.DeleteScheduleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteScheduleMethod(), responseObserver);
    }

    /**
     * <pre>
     * PauseSchedule stops a schedule: when it has answered, no occurrence that was not leased before is leased, manual runs
     * and backfills among them. Those already leased run on, and are retried.
     * </pre>
     */
    default void pauseSchedule(io.github.belfryhq.belfry.v1.PauseScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.PauseScheduleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPauseScheduleMethod(), responseObserver);
    }

    /**
     * <pre>
     * ResumeSchedule lets a paused schedule go on. What became due meanwhile is treated as `missed_policy` says.
     * </pre>
     */
    default void resumeSchedule(io.github.belfryhq.belfry.v1.ResumeScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ResumeScheduleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getResumeScheduleMethod(), responseObserver);
    }

    /**
     * <pre>
     * BatchCreateSchedules makes up to 1,000 schedules: all of them, or none. Each bad one is named by its index. Other
     * errors are those of CreateSchedule.
     * </pre>
     */
    default void batchCreateSchedules(io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBatchCreateSchedulesMethod(), responseObserver);
    }

    /**
     * <pre>
     * RunSchedule makes a job from the template now, beside the rule; also of a paused schedule. It counts as a run for the
     * overlap policy. FAILED_PRECONDITION (SCHEDULE_RUNNING) if a run is alive and the policy is SKIP, or BUFFER_ONE and
     * another one waits already.
     * </pre>
     */
    default void runSchedule(io.github.belfryhq.belfry.v1.RunScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.RunScheduleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRunScheduleMethod(), responseObserver);
    }

    /**
     * <pre>
     * BackfillSchedule makes the jobs of the nominal times in a past range, by the present rule and template, whether or not
     * they have run before. Also of a paused schedule. INVALID_ARGUMENT if the range holds none, or more than 10,000.
     * </pre>
     */
    default void backfillSchedule(io.github.belfryhq.belfry.v1.BackfillScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.BackfillScheduleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBackfillScheduleMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListOccurrences lists what became of the nominal times of a schedule, latest first: each has an outcome for 90 days.
     * </pre>
     */
    default void listOccurrences(io.github.belfryhq.belfry.v1.ListOccurrencesRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListOccurrencesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListOccurrencesMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetForecast says how many jobs will become due in each of the coming minutes, from schedules and from jobs that wait.
     * </pre>
     */
    default void getForecast(io.github.belfryhq.belfry.v1.GetForecastRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetForecastResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetForecastMethod(), responseObserver);
    }

    /**
     * <pre>
     * PreviewSchedule says when a rule would fire, without making anything.
     * </pre>
     */
    default void previewSchedule(io.github.belfryhq.belfry.v1.PreviewScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.PreviewScheduleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPreviewScheduleMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ScheduleService.
   * <pre>
   * ScheduleService manages recurring work: a schedule makes a job at each of its nominal times.
   * </pre>
   */
  public static abstract class ScheduleServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ScheduleServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ScheduleService.
   * <pre>
   * ScheduleService manages recurring work: a schedule makes a job at each of its nominal times.
   * </pre>
   */
  public static final class ScheduleServiceStub
      extends io.grpc.stub.AbstractAsyncStub<ScheduleServiceStub> {
    private ScheduleServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ScheduleServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ScheduleServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateSchedule makes a schedule; its first occurrence is the first nominal time after the call. ALREADY_EXISTS if
     * there is one of that name. INVALID_ARGUMENT for a rule that never fires. NOT_FOUND (QUEUE_NOT_FOUND) if the queue of
     * `job` does not exist, unless the tenant lets queues appear by themselves.
     * </pre>
     */
    public void createSchedule(io.github.belfryhq.belfry.v1.CreateScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateScheduleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateScheduleMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetSchedule answers one schedule. NOT_FOUND (SCHEDULE_NOT_FOUND) otherwise.
     * </pre>
     */
    public void getSchedule(io.github.belfryhq.belfry.v1.GetScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetScheduleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetScheduleMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListSchedules lists the schedules of one tenant by name.
     * </pre>
     */
    public void listSchedules(io.github.belfryhq.belfry.v1.ListSchedulesRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListSchedulesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListSchedulesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * UpdateSchedule changes a schedule. When it has answered, no occurrence of the old rule or template that had not been
     * leased before is leased any more: such jobs end as CANCELLED (SCHEDULE_CHANGED). A changed rule counts from the call
     * on: nominal times that passed before are not made up for. If only `job` has changed, the nominal times of the jobs
     * that were taken back get new ones.
     * </pre>
     */
    public void updateSchedule(io.github.belfryhq.belfry.v1.UpdateScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.UpdateScheduleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateScheduleMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * DeleteSchedule removes a schedule: when it has answered, no occurrence that was not leased before is leased, manual
     * runs and backfills among them. Those already leased run on, and are retried.
     * </pre>
     */
    public void deleteSchedule(io.github.belfryhq.belfry.v1.DeleteScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.DeleteScheduleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteScheduleMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * PauseSchedule stops a schedule: when it has answered, no occurrence that was not leased before is leased, manual runs
     * and backfills among them. Those already leased run on, and are retried.
     * </pre>
     */
    public void pauseSchedule(io.github.belfryhq.belfry.v1.PauseScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.PauseScheduleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPauseScheduleMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ResumeSchedule lets a paused schedule go on. What became due meanwhile is treated as `missed_policy` says.
     * </pre>
     */
    public void resumeSchedule(io.github.belfryhq.belfry.v1.ResumeScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ResumeScheduleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getResumeScheduleMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * BatchCreateSchedules makes up to 1,000 schedules: all of them, or none. Each bad one is named by its index. Other
     * errors are those of CreateSchedule.
     * </pre>
     */
    public void batchCreateSchedules(io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBatchCreateSchedulesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * RunSchedule makes a job from the template now, beside the rule; also of a paused schedule. It counts as a run for the
     * overlap policy. FAILED_PRECONDITION (SCHEDULE_RUNNING) if a run is alive and the policy is SKIP, or BUFFER_ONE and
     * another one waits already.
     * </pre>
     */
    public void runSchedule(io.github.belfryhq.belfry.v1.RunScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.RunScheduleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRunScheduleMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * BackfillSchedule makes the jobs of the nominal times in a past range, by the present rule and template, whether or not
     * they have run before. Also of a paused schedule. INVALID_ARGUMENT if the range holds none, or more than 10,000.
     * </pre>
     */
    public void backfillSchedule(io.github.belfryhq.belfry.v1.BackfillScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.BackfillScheduleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBackfillScheduleMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListOccurrences lists what became of the nominal times of a schedule, latest first: each has an outcome for 90 days.
     * </pre>
     */
    public void listOccurrences(io.github.belfryhq.belfry.v1.ListOccurrencesRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListOccurrencesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListOccurrencesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetForecast says how many jobs will become due in each of the coming minutes, from schedules and from jobs that wait.
     * </pre>
     */
    public void getForecast(io.github.belfryhq.belfry.v1.GetForecastRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetForecastResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetForecastMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * PreviewSchedule says when a rule would fire, without making anything.
     * </pre>
     */
    public void previewSchedule(io.github.belfryhq.belfry.v1.PreviewScheduleRequest request,
        io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.PreviewScheduleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPreviewScheduleMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ScheduleService.
   * <pre>
   * ScheduleService manages recurring work: a schedule makes a job at each of its nominal times.
   * </pre>
   */
  public static final class ScheduleServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<ScheduleServiceBlockingV2Stub> {
    private ScheduleServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ScheduleServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ScheduleServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateSchedule makes a schedule; its first occurrence is the first nominal time after the call. ALREADY_EXISTS if
     * there is one of that name. INVALID_ARGUMENT for a rule that never fires. NOT_FOUND (QUEUE_NOT_FOUND) if the queue of
     * `job` does not exist, unless the tenant lets queues appear by themselves.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateScheduleResponse createSchedule(io.github.belfryhq.belfry.v1.CreateScheduleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetSchedule answers one schedule. NOT_FOUND (SCHEDULE_NOT_FOUND) otherwise.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetScheduleResponse getSchedule(io.github.belfryhq.belfry.v1.GetScheduleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListSchedules lists the schedules of one tenant by name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListSchedulesResponse listSchedules(io.github.belfryhq.belfry.v1.ListSchedulesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListSchedulesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * UpdateSchedule changes a schedule. When it has answered, no occurrence of the old rule or template that had not been
     * leased before is leased any more: such jobs end as CANCELLED (SCHEDULE_CHANGED). A changed rule counts from the call
     * on: nominal times that passed before are not made up for. If only `job` has changed, the nominal times of the jobs
     * that were taken back get new ones.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.UpdateScheduleResponse updateSchedule(io.github.belfryhq.belfry.v1.UpdateScheduleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getUpdateScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DeleteSchedule removes a schedule: when it has answered, no occurrence that was not leased before is leased, manual
     * runs and backfills among them. Those already leased run on, and are retried.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.DeleteScheduleResponse deleteSchedule(io.github.belfryhq.belfry.v1.DeleteScheduleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * PauseSchedule stops a schedule: when it has answered, no occurrence that was not leased before is leased, manual runs
     * and backfills among them. Those already leased run on, and are retried.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.PauseScheduleResponse pauseSchedule(io.github.belfryhq.belfry.v1.PauseScheduleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPauseScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ResumeSchedule lets a paused schedule go on. What became due meanwhile is treated as `missed_policy` says.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ResumeScheduleResponse resumeSchedule(io.github.belfryhq.belfry.v1.ResumeScheduleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getResumeScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * BatchCreateSchedules makes up to 1,000 schedules: all of them, or none. Each bad one is named by its index. Other
     * errors are those of CreateSchedule.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse batchCreateSchedules(io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBatchCreateSchedulesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * RunSchedule makes a job from the template now, beside the rule; also of a paused schedule. It counts as a run for the
     * overlap policy. FAILED_PRECONDITION (SCHEDULE_RUNNING) if a run is alive and the policy is SKIP, or BUFFER_ONE and
     * another one waits already.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.RunScheduleResponse runSchedule(io.github.belfryhq.belfry.v1.RunScheduleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRunScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * BackfillSchedule makes the jobs of the nominal times in a past range, by the present rule and template, whether or not
     * they have run before. Also of a paused schedule. INVALID_ARGUMENT if the range holds none, or more than 10,000.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.BackfillScheduleResponse backfillSchedule(io.github.belfryhq.belfry.v1.BackfillScheduleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBackfillScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListOccurrences lists what became of the nominal times of a schedule, latest first: each has an outcome for 90 days.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListOccurrencesResponse listOccurrences(io.github.belfryhq.belfry.v1.ListOccurrencesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListOccurrencesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetForecast says how many jobs will become due in each of the coming minutes, from schedules and from jobs that wait.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetForecastResponse getForecast(io.github.belfryhq.belfry.v1.GetForecastRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetForecastMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * PreviewSchedule says when a rule would fire, without making anything.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.PreviewScheduleResponse previewSchedule(io.github.belfryhq.belfry.v1.PreviewScheduleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPreviewScheduleMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service ScheduleService.
   * <pre>
   * ScheduleService manages recurring work: a schedule makes a job at each of its nominal times.
   * </pre>
   */
  public static final class ScheduleServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ScheduleServiceBlockingStub> {
    private ScheduleServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ScheduleServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ScheduleServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateSchedule makes a schedule; its first occurrence is the first nominal time after the call. ALREADY_EXISTS if
     * there is one of that name. INVALID_ARGUMENT for a rule that never fires. NOT_FOUND (QUEUE_NOT_FOUND) if the queue of
     * `job` does not exist, unless the tenant lets queues appear by themselves.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.CreateScheduleResponse createSchedule(io.github.belfryhq.belfry.v1.CreateScheduleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetSchedule answers one schedule. NOT_FOUND (SCHEDULE_NOT_FOUND) otherwise.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetScheduleResponse getSchedule(io.github.belfryhq.belfry.v1.GetScheduleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListSchedules lists the schedules of one tenant by name.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListSchedulesResponse listSchedules(io.github.belfryhq.belfry.v1.ListSchedulesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListSchedulesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * UpdateSchedule changes a schedule. When it has answered, no occurrence of the old rule or template that had not been
     * leased before is leased any more: such jobs end as CANCELLED (SCHEDULE_CHANGED). A changed rule counts from the call
     * on: nominal times that passed before are not made up for. If only `job` has changed, the nominal times of the jobs
     * that were taken back get new ones.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.UpdateScheduleResponse updateSchedule(io.github.belfryhq.belfry.v1.UpdateScheduleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DeleteSchedule removes a schedule: when it has answered, no occurrence that was not leased before is leased, manual
     * runs and backfills among them. Those already leased run on, and are retried.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.DeleteScheduleResponse deleteSchedule(io.github.belfryhq.belfry.v1.DeleteScheduleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * PauseSchedule stops a schedule: when it has answered, no occurrence that was not leased before is leased, manual runs
     * and backfills among them. Those already leased run on, and are retried.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.PauseScheduleResponse pauseSchedule(io.github.belfryhq.belfry.v1.PauseScheduleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPauseScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ResumeSchedule lets a paused schedule go on. What became due meanwhile is treated as `missed_policy` says.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ResumeScheduleResponse resumeSchedule(io.github.belfryhq.belfry.v1.ResumeScheduleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getResumeScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * BatchCreateSchedules makes up to 1,000 schedules: all of them, or none. Each bad one is named by its index. Other
     * errors are those of CreateSchedule.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse batchCreateSchedules(io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBatchCreateSchedulesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * RunSchedule makes a job from the template now, beside the rule; also of a paused schedule. It counts as a run for the
     * overlap policy. FAILED_PRECONDITION (SCHEDULE_RUNNING) if a run is alive and the policy is SKIP, or BUFFER_ONE and
     * another one waits already.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.RunScheduleResponse runSchedule(io.github.belfryhq.belfry.v1.RunScheduleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRunScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * BackfillSchedule makes the jobs of the nominal times in a past range, by the present rule and template, whether or not
     * they have run before. Also of a paused schedule. INVALID_ARGUMENT if the range holds none, or more than 10,000.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.BackfillScheduleResponse backfillSchedule(io.github.belfryhq.belfry.v1.BackfillScheduleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBackfillScheduleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListOccurrences lists what became of the nominal times of a schedule, latest first: each has an outcome for 90 days.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.ListOccurrencesResponse listOccurrences(io.github.belfryhq.belfry.v1.ListOccurrencesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListOccurrencesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetForecast says how many jobs will become due in each of the coming minutes, from schedules and from jobs that wait.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.GetForecastResponse getForecast(io.github.belfryhq.belfry.v1.GetForecastRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetForecastMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * PreviewSchedule says when a rule would fire, without making anything.
     * </pre>
     */
    public io.github.belfryhq.belfry.v1.PreviewScheduleResponse previewSchedule(io.github.belfryhq.belfry.v1.PreviewScheduleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPreviewScheduleMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ScheduleService.
   * <pre>
   * ScheduleService manages recurring work: a schedule makes a job at each of its nominal times.
   * </pre>
   */
  public static final class ScheduleServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<ScheduleServiceFutureStub> {
    private ScheduleServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ScheduleServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ScheduleServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateSchedule makes a schedule; its first occurrence is the first nominal time after the call. ALREADY_EXISTS if
     * there is one of that name. INVALID_ARGUMENT for a rule that never fires. NOT_FOUND (QUEUE_NOT_FOUND) if the queue of
     * `job` does not exist, unless the tenant lets queues appear by themselves.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.CreateScheduleResponse> createSchedule(
        io.github.belfryhq.belfry.v1.CreateScheduleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateScheduleMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetSchedule answers one schedule. NOT_FOUND (SCHEDULE_NOT_FOUND) otherwise.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.GetScheduleResponse> getSchedule(
        io.github.belfryhq.belfry.v1.GetScheduleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetScheduleMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListSchedules lists the schedules of one tenant by name.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ListSchedulesResponse> listSchedules(
        io.github.belfryhq.belfry.v1.ListSchedulesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListSchedulesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * UpdateSchedule changes a schedule. When it has answered, no occurrence of the old rule or template that had not been
     * leased before is leased any more: such jobs end as CANCELLED (SCHEDULE_CHANGED). A changed rule counts from the call
     * on: nominal times that passed before are not made up for. If only `job` has changed, the nominal times of the jobs
     * that were taken back get new ones.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.UpdateScheduleResponse> updateSchedule(
        io.github.belfryhq.belfry.v1.UpdateScheduleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateScheduleMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * DeleteSchedule removes a schedule: when it has answered, no occurrence that was not leased before is leased, manual
     * runs and backfills among them. Those already leased run on, and are retried.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.DeleteScheduleResponse> deleteSchedule(
        io.github.belfryhq.belfry.v1.DeleteScheduleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteScheduleMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * PauseSchedule stops a schedule: when it has answered, no occurrence that was not leased before is leased, manual runs
     * and backfills among them. Those already leased run on, and are retried.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.PauseScheduleResponse> pauseSchedule(
        io.github.belfryhq.belfry.v1.PauseScheduleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPauseScheduleMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ResumeSchedule lets a paused schedule go on. What became due meanwhile is treated as `missed_policy` says.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ResumeScheduleResponse> resumeSchedule(
        io.github.belfryhq.belfry.v1.ResumeScheduleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getResumeScheduleMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * BatchCreateSchedules makes up to 1,000 schedules: all of them, or none. Each bad one is named by its index. Other
     * errors are those of CreateSchedule.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse> batchCreateSchedules(
        io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBatchCreateSchedulesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * RunSchedule makes a job from the template now, beside the rule; also of a paused schedule. It counts as a run for the
     * overlap policy. FAILED_PRECONDITION (SCHEDULE_RUNNING) if a run is alive and the policy is SKIP, or BUFFER_ONE and
     * another one waits already.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.RunScheduleResponse> runSchedule(
        io.github.belfryhq.belfry.v1.RunScheduleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRunScheduleMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * BackfillSchedule makes the jobs of the nominal times in a past range, by the present rule and template, whether or not
     * they have run before. Also of a paused schedule. INVALID_ARGUMENT if the range holds none, or more than 10,000.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.BackfillScheduleResponse> backfillSchedule(
        io.github.belfryhq.belfry.v1.BackfillScheduleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBackfillScheduleMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListOccurrences lists what became of the nominal times of a schedule, latest first: each has an outcome for 90 days.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.ListOccurrencesResponse> listOccurrences(
        io.github.belfryhq.belfry.v1.ListOccurrencesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListOccurrencesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetForecast says how many jobs will become due in each of the coming minutes, from schedules and from jobs that wait.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.GetForecastResponse> getForecast(
        io.github.belfryhq.belfry.v1.GetForecastRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetForecastMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * PreviewSchedule says when a rule would fire, without making anything.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.github.belfryhq.belfry.v1.PreviewScheduleResponse> previewSchedule(
        io.github.belfryhq.belfry.v1.PreviewScheduleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPreviewScheduleMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_CREATE_SCHEDULE = 0;
  private static final int METHODID_GET_SCHEDULE = 1;
  private static final int METHODID_LIST_SCHEDULES = 2;
  private static final int METHODID_UPDATE_SCHEDULE = 3;
  private static final int METHODID_DELETE_SCHEDULE = 4;
  private static final int METHODID_PAUSE_SCHEDULE = 5;
  private static final int METHODID_RESUME_SCHEDULE = 6;
  private static final int METHODID_BATCH_CREATE_SCHEDULES = 7;
  private static final int METHODID_RUN_SCHEDULE = 8;
  private static final int METHODID_BACKFILL_SCHEDULE = 9;
  private static final int METHODID_LIST_OCCURRENCES = 10;
  private static final int METHODID_GET_FORECAST = 11;
  private static final int METHODID_PREVIEW_SCHEDULE = 12;

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
        case METHODID_CREATE_SCHEDULE:
          serviceImpl.createSchedule((io.github.belfryhq.belfry.v1.CreateScheduleRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.CreateScheduleResponse>) responseObserver);
          break;
        case METHODID_GET_SCHEDULE:
          serviceImpl.getSchedule((io.github.belfryhq.belfry.v1.GetScheduleRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetScheduleResponse>) responseObserver);
          break;
        case METHODID_LIST_SCHEDULES:
          serviceImpl.listSchedules((io.github.belfryhq.belfry.v1.ListSchedulesRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListSchedulesResponse>) responseObserver);
          break;
        case METHODID_UPDATE_SCHEDULE:
          serviceImpl.updateSchedule((io.github.belfryhq.belfry.v1.UpdateScheduleRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.UpdateScheduleResponse>) responseObserver);
          break;
        case METHODID_DELETE_SCHEDULE:
          serviceImpl.deleteSchedule((io.github.belfryhq.belfry.v1.DeleteScheduleRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.DeleteScheduleResponse>) responseObserver);
          break;
        case METHODID_PAUSE_SCHEDULE:
          serviceImpl.pauseSchedule((io.github.belfryhq.belfry.v1.PauseScheduleRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.PauseScheduleResponse>) responseObserver);
          break;
        case METHODID_RESUME_SCHEDULE:
          serviceImpl.resumeSchedule((io.github.belfryhq.belfry.v1.ResumeScheduleRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ResumeScheduleResponse>) responseObserver);
          break;
        case METHODID_BATCH_CREATE_SCHEDULES:
          serviceImpl.batchCreateSchedules((io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse>) responseObserver);
          break;
        case METHODID_RUN_SCHEDULE:
          serviceImpl.runSchedule((io.github.belfryhq.belfry.v1.RunScheduleRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.RunScheduleResponse>) responseObserver);
          break;
        case METHODID_BACKFILL_SCHEDULE:
          serviceImpl.backfillSchedule((io.github.belfryhq.belfry.v1.BackfillScheduleRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.BackfillScheduleResponse>) responseObserver);
          break;
        case METHODID_LIST_OCCURRENCES:
          serviceImpl.listOccurrences((io.github.belfryhq.belfry.v1.ListOccurrencesRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.ListOccurrencesResponse>) responseObserver);
          break;
        case METHODID_GET_FORECAST:
          serviceImpl.getForecast((io.github.belfryhq.belfry.v1.GetForecastRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.GetForecastResponse>) responseObserver);
          break;
        case METHODID_PREVIEW_SCHEDULE:
          serviceImpl.previewSchedule((io.github.belfryhq.belfry.v1.PreviewScheduleRequest) request,
              (io.grpc.stub.StreamObserver<io.github.belfryhq.belfry.v1.PreviewScheduleResponse>) responseObserver);
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
          getCreateScheduleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.CreateScheduleRequest,
              io.github.belfryhq.belfry.v1.CreateScheduleResponse>(
                service, METHODID_CREATE_SCHEDULE)))
        .addMethod(
          getGetScheduleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.GetScheduleRequest,
              io.github.belfryhq.belfry.v1.GetScheduleResponse>(
                service, METHODID_GET_SCHEDULE)))
        .addMethod(
          getListSchedulesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ListSchedulesRequest,
              io.github.belfryhq.belfry.v1.ListSchedulesResponse>(
                service, METHODID_LIST_SCHEDULES)))
        .addMethod(
          getUpdateScheduleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.UpdateScheduleRequest,
              io.github.belfryhq.belfry.v1.UpdateScheduleResponse>(
                service, METHODID_UPDATE_SCHEDULE)))
        .addMethod(
          getDeleteScheduleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.DeleteScheduleRequest,
              io.github.belfryhq.belfry.v1.DeleteScheduleResponse>(
                service, METHODID_DELETE_SCHEDULE)))
        .addMethod(
          getPauseScheduleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.PauseScheduleRequest,
              io.github.belfryhq.belfry.v1.PauseScheduleResponse>(
                service, METHODID_PAUSE_SCHEDULE)))
        .addMethod(
          getResumeScheduleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ResumeScheduleRequest,
              io.github.belfryhq.belfry.v1.ResumeScheduleResponse>(
                service, METHODID_RESUME_SCHEDULE)))
        .addMethod(
          getBatchCreateSchedulesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.BatchCreateSchedulesRequest,
              io.github.belfryhq.belfry.v1.BatchCreateSchedulesResponse>(
                service, METHODID_BATCH_CREATE_SCHEDULES)))
        .addMethod(
          getRunScheduleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.RunScheduleRequest,
              io.github.belfryhq.belfry.v1.RunScheduleResponse>(
                service, METHODID_RUN_SCHEDULE)))
        .addMethod(
          getBackfillScheduleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.BackfillScheduleRequest,
              io.github.belfryhq.belfry.v1.BackfillScheduleResponse>(
                service, METHODID_BACKFILL_SCHEDULE)))
        .addMethod(
          getListOccurrencesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.ListOccurrencesRequest,
              io.github.belfryhq.belfry.v1.ListOccurrencesResponse>(
                service, METHODID_LIST_OCCURRENCES)))
        .addMethod(
          getGetForecastMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.GetForecastRequest,
              io.github.belfryhq.belfry.v1.GetForecastResponse>(
                service, METHODID_GET_FORECAST)))
        .addMethod(
          getPreviewScheduleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.github.belfryhq.belfry.v1.PreviewScheduleRequest,
              io.github.belfryhq.belfry.v1.PreviewScheduleResponse>(
                service, METHODID_PREVIEW_SCHEDULE)))
        .build();
  }

  private static abstract class ScheduleServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    ScheduleServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.github.belfryhq.belfry.v1.ScheduleProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("ScheduleService");
    }
  }

  private static final class ScheduleServiceFileDescriptorSupplier
      extends ScheduleServiceBaseDescriptorSupplier {
    ScheduleServiceFileDescriptorSupplier() {}
  }

  private static final class ScheduleServiceMethodDescriptorSupplier
      extends ScheduleServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    ScheduleServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (ScheduleServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new ScheduleServiceFileDescriptorSupplier())
              .addMethod(getCreateScheduleMethod())
              .addMethod(getGetScheduleMethod())
              .addMethod(getListSchedulesMethod())
              .addMethod(getUpdateScheduleMethod())
              .addMethod(getDeleteScheduleMethod())
              .addMethod(getPauseScheduleMethod())
              .addMethod(getResumeScheduleMethod())
              .addMethod(getBatchCreateSchedulesMethod())
              .addMethod(getRunScheduleMethod())
              .addMethod(getBackfillScheduleMethod())
              .addMethod(getListOccurrencesMethod())
              .addMethod(getGetForecastMethod())
              .addMethod(getPreviewScheduleMethod())
              .build();
        }
      }
    }
    return result;
  }
}
