// The two error details of google/rpc/error_details.proto that every client wants, read by their published field numbers:
// npm has no generated code for them.
import { createFileRegistry, fromJson, type DescMessage, type JsonObject, toJson } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { ConnectError } from "@connectrpc/connect";

const text = (name: string, number: number) => ({ name, jsonName: name, number, label: "LABEL_OPTIONAL", type: "TYPE_STRING" });

const registry = createFileRegistry(
  fromJson(FileDescriptorSetSchema, {
    file: [
      {
        name: "google/rpc/error_details.proto",
        package: "google.rpc",
        syntax: "proto3",
        messageType: [
          { name: "ErrorInfo", field: [text("reason", 1), text("domain", 2)] },
          {
            name: "BadRequest",
            nestedType: [{ name: "FieldViolation", field: [text("field", 1), text("description", 2)] }],
            field: [
              {
                name: "field_violations",
                jsonName: "fieldViolations",
                number: 1,
                label: "LABEL_REPEATED",
                type: "TYPE_MESSAGE",
                typeName: ".google.rpc.BadRequest.FieldViolation",
              },
            ],
          },
        ],
      },
    ],
  }),
);

function message(name: string): DescMessage {
  const found = registry.getMessage(name);
  if (found === undefined) {
    throw new Error(`no message ${name}`);
  }
  return found;
}

const ErrorInfo = message("google.rpc.ErrorInfo");
const BadRequest = message("google.rpc.BadRequest");

function details(error: ConnectError, type: DescMessage): JsonObject[] {
  return error.findDetails(type).map((detail) => toJson(type, detail) as JsonObject);
}

// reasonOf returns the machine-readable cause of an error, e.g. "domain/REASON"; empty if it has none.
export function reasonOf(error: ConnectError): string {
  const [info] = details(error, ErrorInfo);
  return info === undefined ? "" : `${info.domain}/${info.reason}`;
}

// violationsOf returns what is wrong with the request, by the path of the field.
export function violationsOf(error: ConnectError): Map<string, string> {
  const found = new Map<string, string>();
  for (const bad of details(error, BadRequest)) {
    for (const violation of (bad.fieldViolations ?? []) as JsonObject[]) {
      found.set(String(violation.field), String(violation.description));
    }
  }
  return found;
}
