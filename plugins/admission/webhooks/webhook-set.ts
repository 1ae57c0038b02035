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
  readonly #configurations = new Map<string, ApiObject>();
  /** Sorted by configuration name, then in their order there; built on demand. */
  #webhooks: readonly Webhook[] | undefined;
  #classes = new WeakMap<ResourceModule, Map<string, readonly CandidateWebhook[]>>();

  constructor(
    private readonly resources: ResourceIndex,
    private readonly open: (spec: WebhookSpec) => WebhookLine,
    /** Whether conditions may use features of releases after 1.27. */
    private readonly later: boolean,
  ) {}

  changed(object: ApiObject): void {
    this.#configurations.set(object.metadata.name ?? '', object);
    this.#forget();
  }

  removed(_namespace: string, name: string): void {
    this.#configurations.delete(name);
    this.#forget();
  }

  reset(): void {
    this.#configurations.clear();
    this.#forget();
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
    this.#webhooks ??= this.#compile();
    return this.#webhooks.flatMap((webhook) => {
      // A webhook without rules matches nothing.
      const match =
        webhook.spec.match.rules.length === 0 ? undefined : matchClass(webhook.spec.match, request, this.resources);
      return match ? [{ webhook, match }] : [];
    });
  }

  #compile(): readonly Webhook[] {
    const inOrder = [...this.#configurations].sort(([a], [b]) => (a < b ? -1 : 1));
    const specs = inOrder.flatMap(([, configuration]) => webhookSpecs(configuration));
    return specs.map((spec, index) => new Webhook(spec, index, this.open, this.later));
  }

  #forget(): void {
    for (const webhook of this.#webhooks ?? []) webhook.close();
    this.#webhooks = undefined;
    this.#classes = new WeakMap();
  }
}
