/** One webhook of a configuration, and its connections. */
import type { WebhookAnswer, WebhookCall, WebhookLine } from '../../../runtime/contract/index.js';
import { Conditions } from './conditions.js';
import type { WebhookSpec } from './webhook-spec.js';

/** Its connections stay open until its configuration changes. */
export class Webhook {
  readonly conditions: Conditions;
  #line: WebhookLine | undefined;

  constructor(
    readonly spec: WebhookSpec,
    /** The place among all webhooks of its plugin. */
    readonly index: number,
    private readonly open: (spec: WebhookSpec) => WebhookLine,
  ) {
    this.conditions = new Conditions(spec.conditions, spec.ignoresFailures);
  }

  /** Posts a review. Never rejects. */
  post(call: WebhookCall): Promise<WebhookAnswer> {
    this.#line ??= this.open(this.spec);
    return this.#line.post(call);
  }

  close(): void {
    this.#line?.close();
    this.#line = undefined;
  }
}
