/** Makes spans of requests: one for the whole request, and one each for authentication, authorization and admission. */
import type { AccessAttributes, Authorizer, Observer, Span, Tracer } from '../contract/index.js';
import { currentSpan, inSpan } from '../objects/tracing.js';
import { thenSync } from '../objects/turns.js';
import { pathOf, type ResourcePath } from '../registry/route.js';
import { type ApiRequest, type ApiResponse, type Handle, isStreamed } from '../request/api-request.js';
import type { ObserveUser } from './observe-requests.js';
import type { AskedFor } from './record-requests.js';

/** Wraps a handler, and makes a span for each request. It is the outermost handler, so answers have their ids. */
export function traceRequests(handle: Handle, tracer: Tracer, askedFor: AskedFor): Handle {
  return (request) => {
    const { traceparent, tracestate } = request.headers;
    const span = tracer.receive(request.method, {
      ...(typeof traceparent === 'string' ? { traceparent } : {}),
      ...(typeof tracestate === 'string' ? { tracestate } : {}),
    });
    return thenSync(
      span.within(() => handle(request)),
      (answer) => {
        describe(span, request, answer, askedFor.get(request));
        return endWith(span, answer);
      },
    );
  };
}

/** Ends the span of a stream when the stream ends. */
function endWith(span: Span, answer: ApiResponse): ApiResponse {
  const { body } = answer;
  if (!isStreamed(body)) {
    span.end();
    return answer;
  }
  const stream: typeof body.stream = (sink) => {
    const stop = span.within(() => body.stream(sink));
    let open = true;
    return () => {
      stop();
      if (open) span.end();
      open = false;
    };
  };
  return { ...answer, body: { ...body, stream } };
}

function describe(span: Span, request: ApiRequest, answer: ApiResponse, asked: AccessAttributes | undefined): void {
  const { code } = answer;
  const auditId = request.tags?.auditId ?? '';
  span.set({ 'http.request.method': request.method, 'http.response.status_code': code, 'audit-id': auditId });
  if (code >= 500) span.fail(`the answer is ${code}`);
  if (!asked) return;
  span.set({ verb: asked.verb });
  const path = pathOf(request).resource;
  if ('path' in asked || !path) return;
  const route = routeOf(path);
  span.rename(`${request.method} ${route}`);
  span.set({ 'http.route': route, group: path.group, version: path.version, resource: path.plural });
  if (path.namespace !== '') span.set({ namespace: path.namespace });
  if (path.subresource !== '') span.set({ subresource: path.subresource });
}

/** Returns the path with placeholders for names, so that there are as many routes as resources. */
function routeOf({ group, version, namespace, plural, name, subresource }: ResourcePath): string {
  const parts = [group === '' ? '/api' : `/apis/${group}`, version];
  if (namespace !== '') parts.push('namespaces/{namespace}');
  parts.push(plural);
  if (name !== '') parts.push('{name}');
  if (subresource !== '') parts.push(subresource);
  return parts.join('/');
}

/** Runs authentication in a span. */
export const traceUser =
  (observe: ObserveUser): ObserveUser =>
  (authenticate) =>
    inSpan('Authentication', (span) =>
      thenSync(observe(authenticate), (user) => {
        span?.set({ recognized: user.ok });
        return user;
      }),
    );

/** Returns the authorizer with a span for each decision. */
export const traceAuthorizer = (authorizer: Authorizer): Authorizer => ({
  ...authorizer,
  decide: (attributes) =>
    inSpan('Authorization', (span) =>
      thenSync(authorizer.decide(attributes), (decided) => {
        span?.set({ decision: decided.decision, verb: attributes.verb });
        return decided;
      }),
    ),
});

/** Returns the observer with spans of admission steps and plugins. Reports a span when its step or plugin has ended. */
export const traceAdmission = (observer: Observer): Observer => ({
  ...observer,
  admission(place) {
    const tell = observer.admission(place);
    const { plugin, step, operation } = place;
    const name = plugin === undefined ? `Admission: ${step}` : `Admission plugin ${plugin}: ${step}`;
    return (rejected, seconds) => {
      tell(rejected, seconds);
      currentSpan()
        ?.begin(name, { attributes: { operation, rejected }, beganMsAgo: seconds * 1000 })
        .end();
    };
  },
});
