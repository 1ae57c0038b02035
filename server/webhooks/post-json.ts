/** Posts JSON to a webhook, again and again if it may help. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutgoingCalls, Target } from './outgoing-calls.js';
import type { PoolTarget } from './pool.js';
import type { WebhookConnection } from './webhook-file.js';

/** The text of a good answer, or why there is none. */
export type PostAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** How often a call is tried again, and after which time. */
export interface Retries {
  /** All tries together. */
  readonly tries: number;
  /** Milliseconds before the first retry. Each further wait is 1.5 times as long, plus a random 0 to 20 %. */
  readonly firstMs: number;
}

/** The reference's, by default. */
export const usualRetries: Retries = { tries: 5, firstMs: 500 };

const timeoutMs = 30_000;
const mostBytes = 1024 * 1024;

/**
 * Returns the function that posts. `connection` may return another one for each call. Never rejects. Tries again after
 * answers that may be better the next time: 429, 500, 504, and broken connections.
 */
export function postTo(
  calls: OutgoingCalls,
  connection: () => WebhookConnection,
  { tries, firstMs }: Retries = usualRetries,
): (body: string) => Promise<PostAnswer> {
  const targetOf = followTarget(calls);
  return async (body) => {
    let pause = firstMs;
    for (let attempt = 1; ; attempt++) {
      const now = connection();
      const answer = await post(targetOf(now), now, body);
      if (answer.ok || !answer.passes || attempt >= tries) return answer;
      await sleep(pause * (1 + Math.random() / 5));
      pause *= 1.5;
    }
  };
}

/** Returns the target of a connection, and opens another one when the connection changes. */
function followTarget(calls: OutgoingCalls): (connection: WebhookConnection) => Target {
  let known: { readonly connection: WebhookConnection; readonly target: Target } | undefined;
  return (connection) => {
    if (known?.connection === connection) return known.target;
    known?.target.close();
    const { url } = connection;
    const target = calls.open(`${url.origin}${url.pathname}`, poolTargetOf(connection));
    known = { connection, target };
    return target;
  };
}

const poolTargetOf = ({ url, ca, serverName, cert, key, insecure }: WebhookConnection): PoolTarget => ({
  origin: url.origin,
  ca,
  serverName,
  cert,
  key,
  insecure,
});

type Attempt =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string /** Whether a retry may help. */; readonly passes: boolean };

async function post(target: Target, { url, headers }: WebhookConnection, body: string): Promise<Attempt> {
  const fail = (problem: string, passes: boolean): Attempt => ({
    ok: false,
    problem: `Post ${JSON.stringify(url.href)}: ${problem}`,
    passes,
  });
  let shown: Readonly<Record<string, string>>;
  try {
    shown = headers();
  } catch (error) {
    // A file with a token is gone.
    return fail(error instanceof Error ? error.message : String(error), false);
  }
  const path = url.pathname + url.search;
  const answer = await target.send({ path, headers: shown, body: () => body, mostBytes, timeoutMs });
  if (!answer.ok) return fail(answer.problem, answer.isBroken === true);
  const { code, asksAgain, text } = answer;
  if (code >= 200 && code < 300) return { ok: true, text };
  return fail(`the webhook answers with ${code}`, asksAgain || [429, 500, 504].includes(code));
}
