// Package clients runs small programs in other languages, on the code generated for them, against a real server: a Python
// program over gRPC and a TypeScript program over Connect. Each takes a job through its whole life, so that the API is
// known to suit other languages. What a language needs is installed once per version into .tmp/clients.
package clients
