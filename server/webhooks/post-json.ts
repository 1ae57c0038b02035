/** Posts JSON to a webhook, with retries that may help. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readReply } from './line.js';
import { deadlineExceeded, type OutgoingCalls, type Target } from './outgoing-calls.js';
import type { PoolTarget } from './pool.js';
import type { WebhookConnection } from './webhook-file.js';

/** The text of a good answer, or the reason why there is none. `isLate`: no answer came in time. */
export type PostAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string; readonly isLate: boolean };

/** The number of retries of a call, and the pauses before them. */
export interface Retries {
  /** The number of tries, with the first one. */
  readonly tries: number;
  /** Milliseconds before the first retry. Each further wait is 1.5 times as long, plus a random 0 to 20 %. */
  readonly firstMs: number;
}

/** The defaults of the reference. */
export const usualRetries: Retries = { tries: 5, firstMs: 500 };

/** The settings of calls to a webhook. */
export interface PostOptions {
  readonly retries?: Retries;
  /** The time limit of one try. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** Whether to report answers with an error in the reference's words. Default: false. */
  readonly inReferenceWords?: boolean;
}

/** A function that posts, and one that closes its connections. */
export interface Poster {
  /** Posts a body. Never rejects. */
  readonly post: (body: string) => Promise<PostAnswer>;
  close(): void;
}

const mostBytes = 1024 * 1024;

/** Returns the function that posts, for as long as the server runs. */
export const postTo = (
  calls: OutgoingCalls,
  connection: () => WebhookConnection,
  retries: Retries = usualRetries,
): Poster['post'] => openPoster(calls, connection, { retries }).post;

/**
 * Opens the function that posts. `connection` may return another one for each call. Retries after answers that may
 * differ the next time (429, 500, 504), and after broken connections.
 */
export function openPoster(
  calls: OutgoingCalls,
  connection: () => WebhookConnection,
  { retries: { tries, firstMs } = usualRetries, timeoutMs = 30_000, inReferenceWords = false }: PostOptions = {},
): Poster {
  const target = followTarget(calls);
  const settings = { timeoutMs, inReferenceWords };
  return {
    async post(body) {
      let pause = firstMs;
      for (let attempt = 1; ; attempt++) {
        const now = connection();
        const answer = await post(target.of(now), now, body, settings);
        if (answer.ok || !answer.passes || attempt >= tries) return answer;
        await sleep(pause * (1 + Math.random() / 5));
        pause *= 1.5;
      }
    },
    close: target.close,
  };
}

/** Finds the target of a connection, and opens another one when the connection changes. */
function followTarget(calls: OutgoingCalls) {
  let known: { readonly connection: WebhookConnection; readonly target: Target } | undefined;
  return {
    of(connection: WebhookConnection): Target {
      if (known?.connection === connection) return known.target;
      known?.target.close();
      const { url } = connection;
      const target = calls.open(`${url.origin}${url.pathname}`, poolTargetOf(connection));
      known = { connection, target };
      return target;
    },
    close(): void {
      known?.target.close();
      known = undefined;
    },
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

type Attempt = PostAnswer & { /** Whether a retry may help. */ readonly passes?: boolean };

async function post(
  target: Target,
  { url, headers }: WebhookConnection,
  body: string,
  { timeoutMs, inReferenceWords }: Required<Omit<PostOptions, 'retries'>>,
): Promise<Attempt> {
  const fail = (problem: string, passes: boolean, isLate = problem === deadlineExceeded): Attempt => ({
    ok: false,
    problem: `Post ${JSON.stringify(url.href)}: ${problem}`,
    passes,
    isLate,
  });
  let shown: Readonly<Record<string, string>>;
  try {
    shown = headers();
  } catch (error) {
    // A token file is gone.
    return fail(error instanceof Error ? error.message : String(error), false);
  }
  const path = url.pathname + url.search;
  const answer = await target.send({ path, headers: shown, body: () => body, mostBytes, timeoutMs });
  if (!answer.ok) return fail(answer.problem, answer.isBroken === true);
  const { code, asksAgain, text } = answer;
  if (code >= 200 && code < 300) return { ok: true, text };
  const passes = asksAgain || [429, 500, 504].includes(code);
  const isLate = code === 504;
  const reply = readReply(answer);
  if (inReferenceWords && !reply.ok) return { ok: false, problem: reply.problem, passes, isLate };
  return fail(`the webhook answers with ${code}`, passes, isLate);
}
