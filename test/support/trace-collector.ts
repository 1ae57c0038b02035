/** A collector that receives traces as OTLP over gRPC, and keeps their spans. */
import { promisify } from 'node:util';
import { type handleUnaryCall, Server, ServerCredentials } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** A received span. Ids are hexadecimal; the parent's id is empty without a parent. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  /** 2 for a server, 3 for a client, 1 for internal work. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failure: string | undefined;
  readonly seconds: number;
}

export interface TraceCollector {
  /** As in `127.0.0.1:4317`. */
  readonly address: string;
  readonly spans: readonly CollectedSpan[];
  /** Attributes of the program that sent the spans. */
  readonly resource: Readonly<Record<string, unknown>>;
  close(): void;
}

/** The used fields of the messages of opentelemetry-proto. */
const format = `syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start = 7; fixed64 end = 8; repeated KeyValue attributes = 9; Status status = 15;
}
message Status { string message = 2; int32 code = 3; }
message KeyValue { string key = 1; Value value = 2; }
message Value { oneof value { string text = 1; bool flag = 2; int64 whole = 3; double number = 4; } }`;

interface SentValue {
  readonly key: string;
  readonly value?: Readonly<Record<string, unknown>>;
}
interface SentSpan {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  readonly kind?: number;
  readonly start?: string;
  readonly end?: string;
  readonly attributes?: readonly SentValue[];
  readonly status?: { readonly message?: string; readonly code?: number };
}
interface Sent {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly SentValue[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly SentSpan[] }[];
  }[];
}

const attributesOf = (sent: readonly SentValue[] = []): Record<string, unknown> =>
  Object.fromEntries(sent.map(({ key, value = {} }) => [key, Object.values(value)[0]]));

const hex = (base64 = ''): string => Buffer.from(base64, 'base64').toString('hex');
const failed = 2;

const toSpan = ({ start = '0', end = '0', status, ...sent }: SentSpan): CollectedSpan => ({
  name: sent.name ?? '',
  traceId: hex(sent.traceId),
  spanId: hex(sent.spanId),
  parentSpanId: hex(sent.parentSpanId),
  kind: sent.kind ?? 0,
  attributes: attributesOf(sent.attributes),
  failure: status?.code === failed ? (status.message ?? '') : undefined,
  seconds: Number(BigInt(end) - BigInt(start)) / 1e9,
});

/** Serves one call of gRPC on a free port. */
export async function serveCall(
  path: string,
  take: handleUnaryCall<Buffer, Buffer>,
): Promise<{ readonly port: number; close(): void }> {
  const server = new Server();
  const bytes = (value: Buffer): Buffer => value;
  const serializers = { requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes };
  const call = { path, requestStream: false, responseStream: false, responseDeserialize: bytes, ...serializers };
  server.addService({ call }, { call: take });
  const bind = promisify(server.bindAsync.bind(server));
  return { port: await bind('127.0.0.1:0', ServerCredentials.createInsecure()), close: () => server.forceShutdown() };
}

/** Starts a collector on a free port. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const type = protobuf.parse(format).root.lookupType('Request');
  const spans: CollectedSpan[] = [];
  const resource: Record<string, unknown> = {};
  const take: handleUnaryCall<Buffer, Buffer> = ({ request }, answer) => {
    const sent: Sent = type.toObject(type.decode(request), { longs: String, bytes: String });
    for (const one of sent.resourceSpans ?? []) {
      Object.assign(resource, attributesOf(one.resource?.attributes));
      spans.push(...(one.scopeSpans ?? []).flatMap((scope) => (scope.spans ?? []).map(toSpan)));
    }
    answer(null, Buffer.alloc(0));
  };
  const server = await serveCall('/opentelemetry.proto.collector.trace.v1.TraceService/Export', take);
  return { address: `127.0.0.1:${server.port}`, spans, resource, close: server.close };
}
