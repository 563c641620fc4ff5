"""protoc plugin that writes gRPC stubs for Python with the generator inside grpcio-tools.

grpcio-tools has that generator only as an option of its own protoc, and buf speaks only the plugin protocol: this hands
the descriptors of the request to the one and the files it wrote back to the other.
"""

import pathlib
import sys
import tempfile

from google.protobuf import descriptor_pb2
from google.protobuf.compiler import plugin_pb2
from grpc_tools import protoc


def generate(request: plugin_pb2.CodeGeneratorRequest) -> plugin_pb2.CodeGeneratorResponse:
    """Returns the stubs of every requested file, or the error that protoc ended with."""
    response = plugin_pb2.CodeGeneratorResponse(
        supported_features=plugin_pb2.CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL
    )
    with tempfile.TemporaryDirectory() as folder:
        descriptors = pathlib.Path(folder, "descriptors.binpb")
        descriptors.write_bytes(descriptor_pb2.FileDescriptorSet(file=request.proto_file).SerializeToString())
        out = pathlib.Path(folder, "out")
        out.mkdir()
        arguments = ["protoc", f"--descriptor_set_in={descriptors}", f"--grpc_python_out={out}"]
        code = protoc.main(arguments + list(request.file_to_generate))
        if code != 0:
            response.error = f"protoc ended with code {code}"
            return response
        for path in sorted(out.rglob("*.py")):
            name = path.relative_to(out).as_posix()
            response.file.add(name=name, content=path.read_text(encoding="utf-8"))
    return response


if __name__ == "__main__":
    parsed = plugin_pb2.CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    sys.stdout.buffer.write(generate(parsed).SerializeToString())
