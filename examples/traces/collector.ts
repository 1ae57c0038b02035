/** A collector of traces: receives OTLP over gRPC, and prints each span of one trace, with its milliseconds. */
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** The part of opentelemetry-proto that it reads. */
const format = `syntax = "proto3";
message Request { repeated ResourceSpans resources = 1; }
message ResourceSpans { repeated ScopeSpans scopes = 2; }
message ScopeSpans { repeated Span spans = 2; }
message Span { bytes trace_id = 1; string name = 5; fixed64 start = 7; fixed64 end = 8; }`;

interface Sent {
  readonly resources?: readonly { readonly scopes?: readonly { readonly spans?: readonly SentSpan[] }[] }[];
}
interface SentSpan {
  readonly traceId: string;
  readonly name: string;
  /** Nanoseconds since 1970. */
  readonly start: string;
  readonly end: string;
}

const [port = '4317', trace = ''] = process.argv.slice(2);
const type = protobuf.parse(format).root.lookupType('Request');
const bytes = (value: Buffer): Buffer => value;

const service = {
  export: {
    path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
} as const;

const server = new Server();
server.addService(service, {
  export({ request }: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) {
    const sent: Sent = type.toObject(type.decode(request), { bytes: String, longs: String });
    const scopes = (sent.resources ?? []).flatMap((resource) => resource.scopes ?? []);
    for (const { traceId, name, start, end } of scopes.flatMap((scope) => scope.spans ?? [])) {
      if (Buffer.from(traceId, 'base64').toString('hex') === trace) {
        console.log(name, `${Number(BigInt(end) - BigInt(start)) / 1e6} ms`);
      }
    }
    answer(null, Buffer.alloc(0));
  },
});
server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
});
