/** A fetch whose calls are spans, and carry the trace to whoever answers. */
import type { Span, Tracer } from '../../runtime/contract/index.js';
import { inSpan } from '../../runtime/objects/tracing.js';

/** Each call is a span below the current one; with a tracer, a trace of its own, as it is about many requests. */
export function tracedFetch(plain: typeof fetch, apart: Tracer | undefined): typeof fetch {
  const call = async (span: Span | undefined, ...[where, how]: Parameters<typeof fetch>): Promise<Response> => {
    const headers = new Headers(how?.headers);
    for (const [name, value] of Object.entries(span?.headers ?? {})) headers.set(name, value);
    const answer = await plain(where, { ...how, headers });
    if (!answer.ok) span?.fail(`the answer is ${answer.status}`);
    return answer;
  };
  return async (where, how) => {
    const run = (): Promise<Response> =>
      Promise.resolve(inSpan('Audit webhook', (span) => call(span, where, how), { kind: 'client' }));
    if (!apart) return run();
    const batch = apart.receive('Audit batch', {});
    return batch.within(run).finally(() => batch.end());
  };
}
