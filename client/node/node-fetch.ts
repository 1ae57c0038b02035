/** A fetch with the credentials and connections of a session, for what takes nothing but a fetch. */
import type { Session } from './session.js';

/** A request that the server does not know the maker of is sent once more, if there are other credentials. */
export function nodeFetch(session: Session): typeof fetch {
  const send: unknown = async (url: string, init: RequestInit = {}) => {
    const signal = init.signal ?? undefined;
    const { fetch: undiciFetch } = await import('undici');
    const sent: Readonly<Record<string, unknown>> = { ...init };
    const once = async ({ identity, dispatcher }: Awaited<ReturnType<Session['open']>>) => {
      const headers = { ...identity.headers, ...Object.fromEntries(new Headers(init.headers)) };
      return undiciFetch(url, { ...sent, headers, dispatcher });
    };
    const first = await session.open(signal);
    const answer = await once(first);
    if (answer.status !== 401) return answer;
    const other = await session.open(signal, first.identity);
    if (other.identity === first.identity) return answer;
    await answer.body?.cancel();
    return once(other);
  };
  return isFetch(send) ? send : fetch;
}

/** undici's fetch is the global one but for the identity of its types. */
const isFetch = (value: unknown): value is typeof fetch => typeof value === 'function';
