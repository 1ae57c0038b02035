/** One webhook of a configuration, and its connections. */
import type { AdmissionContext } from '../../../runtime/contract/index.js';
import { Conditions } from './conditions.js';
import type { LineTarget, WebhookCalls, WebhookLine } from './line.js';
import { readReply } from './reply.js';
import { serviceOrigin } from './service-origin.js';
import type { WebhookSpec } from './webhook-spec.js';

/** The text of a good answer; or the problem, in words that follow those of a failed call. */
export type Posted = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** Its connections are opened at the first call, and stay open until its configuration changes. */
export class Webhook {
  readonly conditions: Conditions;
  #line: { readonly origin: string; readonly line: WebhookLine } | undefined;

  constructor(
    readonly spec: WebhookSpec,
    /** The place among all webhooks of its plugin. */
    readonly index: number,
    private readonly calls: WebhookCalls,
  ) {
    this.conditions = new Conditions(spec.conditions, spec.ignoresFailures);
  }

  /** Posts a review. Never rejects. */
  async post(body: string, timeoutMs: number, context: Pick<AdmissionContext, 'get'>): Promise<Posted> {
    const { ca } = this.spec.client;
    if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
      const why = 'unable to load root certificates: unable to parse bytes as PEM block';
      return { ok: false, problem: `could not get REST client: ${why}` };
    }
    const url = this.#url(timeoutMs);
    if (!url) return { ok: false, problem: 'could not get REST client: the URL cannot be used' };
    const failed = (problem: string): Posted => ({
      ok: false,
      problem: `failed to call webhook: Post ${JSON.stringify(told(url, this.spec))}: ${problem}`,
    });
    const target = this.#target(url, context);
    if (!target.ok) return failed(target.problem);
    const answer = await this.#open(target).post({ path: url.pathname + url.search, body, timeoutMs });
    if (!answer.ok) return failed(answer.problem);
    const reply = readReply(answer);
    return reply.ok ? reply : { ok: false, problem: `failed to call webhook: ${reply.problem}` };
  }

  close(): void {
    this.#line?.line.close();
    this.#line = undefined;
  }

  /** The address as messages name it. */
  #url(timeoutMs: number): URL | undefined {
    const { client } = this.spec;
    const path = 'url' in client ? '' : client.path.replace(/^(?!\/)/, '/');
    const text = 'url' in client ? client.url : `https://${client.name}.${client.namespace}.svc:${client.port}${path}`;
    if (!URL.canParse(text)) return undefined;
    const url = new URL(text);
    url.searchParams.set('timeout', `${Math.ceil(timeoutMs / 1000)}s`);
    return url;
  }

  #target(
    url: URL,
    context: Pick<AdmissionContext, 'get'>,
  ): ({ readonly ok: true } & LineTarget) | { readonly ok: false; readonly problem: string } {
    const { client } = this.spec;
    const ca = client.ca === undefined ? {} : { ca: client.ca };
    if ('url' in client) return { ok: true, origin: url.origin, ...ca };
    const given = this.calls.serviceAddress?.(client.namespace, client.name);
    const found = given ? ({ ok: true, origin: given.origin } as const) : serviceOrigin(client, context);
    return found.ok ? { ...found, serverName: `${client.name}.${client.namespace}.svc`, ...ca } : found;
  }

  #open(target: LineTarget): WebhookLine {
    if (this.#line?.origin === target.origin) return this.#line.line;
    this.close();
    const line = this.calls.open(target);
    this.#line = { origin: target.origin, line };
    return line;
  }
}

/** Services are named with their port, even where it is the usual one. */
const told = (url: URL, { client }: WebhookSpec): string =>
  'url' in client || url.port !== '' ? url.href : url.href.replace(url.host, `${url.host}:${client.port}`);
