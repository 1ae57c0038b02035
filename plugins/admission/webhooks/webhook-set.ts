/** Follows webhook configurations and finds the webhooks that may apply to a request. */
import type {
  ApiObject,
  ObjectSink,
  ResourceIndex,
  ResourceModule,
  WebhookLine,
} from '../../../runtime/contract/index.js';
import { type ClassMatch, matchClass, type RequestClass } from '../shared/matching.js';
import { Webhook, type WebhookSpec, webhookSpecs } from './webhook.js';

/** A webhook that may apply to a class of requests. */
export interface CandidateWebhook {
  readonly webhook: Webhook;
  readonly match: ClassMatch;
}

const nothing: readonly CandidateWebhook[] = [];

/** The webhooks of one kind of configuration, by the classes of requests that they apply to. */
export class WebhookSet implements ObjectSink {
  /** The webhooks of each configuration by its name. They stay connected while others change. */
  readonly #configurations = new Map<string, readonly Webhook[]>();
  /** Sorted by configuration name, then in their order there; sorted on demand. */
  #webhooks: readonly Webhook[] | undefined;
  #classes = new WeakMap<ResourceModule, Map<string, readonly CandidateWebhook[]>>();

  constructor(
    private readonly resources: ResourceIndex,
    private readonly open: (spec: WebhookSpec) => WebhookLine,
    /** Whether conditions may use features of releases after 1.27. */
    private readonly later: boolean,
  ) {}

  changed(object: ApiObject): void {
    const name = object.metadata.name ?? '';
    const webhooks = webhookSpecs(object).map((spec) => new Webhook(spec, this.open, this.later));
    this.#close(name);
    this.#configurations.set(name, webhooks);
  }

  removed(_namespace: string, name: string): void {
    this.#close(name);
  }

  reset(): void {
    for (const name of [...this.#configurations.keys()]) this.#close(name);
  }

  /** Returns the webhooks that may apply to a class of requests, in order. Computed once per class. */
  candidates(request: RequestClass): readonly CandidateWebhook[] {
    if (this.#configurations.size === 0) return nothing;
    const byClass = this.#classes.get(request.resource) ?? new Map<string, readonly CandidateWebhook[]>();
    this.#classes.set(request.resource, byClass);
    const key = `${request.operation} ${request.subresource}`;
    const known = byClass.get(key) ?? this.#find(request);
    byClass.set(key, known);
    return known;
  }

  /** Returns the webhooks that have no rule for a class of requests. */
  others(request: RequestClass): readonly WebhookSpec[] {
    const candidates = new Set(this.candidates(request).map(({ webhook }) => webhook));
    return (this.#webhooks ?? []).flatMap((webhook) => (candidates.has(webhook) ? [] : [webhook.spec]));
  }

  #find(request: RequestClass): readonly CandidateWebhook[] {
    this.#webhooks ??= this.#inOrder();
    return this.#webhooks.flatMap((webhook) => {
      // A webhook without rules matches nothing.
      const match =
        webhook.spec.match.rules.length === 0 ? undefined : matchClass(webhook.spec.match, request, this.resources);
      return match ? [{ webhook, match }] : [];
    });
  }

  #inOrder(): readonly Webhook[] {
    const sorted = [...this.#configurations].sort(([a], [b]) => (a < b ? -1 : 1));
    const webhooks = sorted.flatMap(([, ofConfiguration]) => ofConfiguration);
    for (const [index, webhook] of webhooks.entries()) webhook.index = index;
    return webhooks;
  }

  #close(name: string): void {
    for (const webhook of this.#configurations.get(name) ?? []) webhook.close();
    this.#configurations.delete(name);
    this.#webhooks = undefined;
    this.#classes = new WeakMap();
  }
}
