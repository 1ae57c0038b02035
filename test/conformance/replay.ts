/** Replays recorded exchanges against a server, and names the exchanges that differ. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { shared } from '../support/shared.js';

/** The used fields of a recorded step. */
interface Step {
  readonly request?: { readonly method?: string; readonly path: string };
  readonly watch?: string;
  readonly collect?: string;
  readonly response?: { readonly status?: number };
}

interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

interface Player {
  play(scenario: Scenario, options: object): Promise<readonly Record<string, unknown>[]>;
  diff(expected: unknown, found: unknown, options?: { messages: boolean }): string[];
  parseTokens(csv: string): Record<string, string>;
}

/** The outcome of an area's replay. */
export interface Replayed {
  /** The number of compared exchanges. */
  readonly compared: number;
  /** The differing exchanges: `scenario #step`, with the first differences. */
  readonly differing: ReadonlyMap<string, readonly string[]>;
}

const isPlayer = (module: unknown): module is Player =>
  typeof module === 'object' && module !== null && 'play' in module;

/** The way to replay and compare an area. */
interface Comparison {
  /** Returns whether to compare exchanges about a path. By default, compares all. */
  readonly about?: (path: string) => boolean;
  /** Whether messages must agree too. Messages with values in Go's format never have to. */
  readonly words?: boolean;
  /** The folder of recordings. Default: `suites`, of release 1.27. */
  readonly suites?: string;
}

/** Replays an area. Sends every request, even if its answer is not compared. */
export async function replay(
  area: string,
  base: string,
  { about = () => true, words = false, suites = 'suites' }: Comparison = {},
): Promise<Replayed> {
  const player: unknown = await import(pathToFileURL(shared('conformance', 'lib.mjs')).href);
  if (!isPlayer(player)) throw new Error('the replayer has changed');
  const tokens = player.parseTokens(readFileSync(shared('conformance', 'tokens.csv'), 'utf8'));
  const text = readFileSync(shared('conformance', suites, `${area}.json`), 'utf8');
  const scenarios: readonly Scenario[] = JSON.parse(text);
  const webhook = await webhookVars(text);
  const differing = new Map<string, readonly string[]>();
  let compared = 0;
  for (const scenario of scenarios) {
    const run = Math.random().toString(36).slice(2, 8);
    const found = await player.play(scenario, { base, tokens, vars: { ...webhook, run } });
    scenario.steps.forEach((step, i) => {
      if (!step.response || !isAbout(step, scenario, about)) return;
      compared++;
      const differences = compare(player, step.response, found[i] ?? {}, words);
      if (differences.length > 0) differing.set(`${scenario.name} #${i}`, differences.slice(0, 4));
    });
  }
  return { compared, differing };
}

function isAbout(step: Step, scenario: Scenario, about: (path: string) => boolean): boolean {
  const opened = step.collect === undefined ? step : scenario.steps.find((other) => other.watch === step.collect);
  return opened?.request === undefined || about(opened.request.path);
}

/** Matches messages with a type or a printed value of Go, or with a place in the reference's sources. */
const ofGo =
  /message: ".*("map\[|\+0000 UTC: field is immutable|in scheme |into Go value|StorageError|unknown conversion)/;

/** Matches messages of the reference that this server says in its own words. */
const inOwnWords =
  /message: ".*(invalid continue token|not supported for Job|must have cluster-admin privileges|doesn't match RuntimeClass's)/;

/**
 * Compares answers. If the reference answers 500 to a mistake of the client, any 4xx with a Status agrees. Failed
 * webhooks remain 500.
 */
function compare(
  player: Player,
  expected: NonNullable<Step['response']>,
  found: Record<string, unknown>,
  words: boolean,
): string[] {
  const plain: unknown = JSON.parse(JSON.stringify(found));
  if (expected.status === 500) {
    const { status } = found;
    if (failsByWebhook(expected)) return player.diff(expected, plain, { messages: words });
    return typeof status === 'number' && status >= 400 && status < 500 ? [] : [`status: 4xx -> ${String(status)}`];
  }
  return player.diff(expected, plain, { messages: words }).filter((line) => !ofGo.test(line) && !inOwnWords.test(line));
}

/** Starts the webhook for some scenarios, and returns its address and certificate. */
async function webhookVars(text: string): Promise<object> {
  const starter: unknown = await import(pathToFileURL(shared('conformance', 'webhook.mjs')).href);
  const startsWebhook = (module: unknown): module is { webhookVars(text: string): Promise<object> } =>
    typeof module === 'object' && module !== null && 'webhookVars' in module;
  if (!startsWebhook(starter)) throw new Error('the webhook has changed');
  return starter.webhookVars(text);
}

/** Reports whether an answer is about a failed webhook, that is, not a mistake of the client. */
const failsByWebhook = (expected: object): boolean => JSON.stringify(expected).includes('InternalError');
