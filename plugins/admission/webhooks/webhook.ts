/** One webhook of a configuration, and its connections. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  EventSubject,
  JsonObject,
  Observer,
  ResourceModule,
  Result,
  WebhookAddress,
  WebhookAnswer,
  WebhookCall,
  WebhookLine,
} from '../../../runtime/contract/index.js';
import { isStringArray, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { inTurns, type Steps } from '../../../runtime/objects/turns.js';
import { refuse } from '../define-admission-plugin.js';
import type { SeenObjects } from '../shared/admission-request.js';
import { type Compiled, compile, defineRights, meetsConditions, variablesOf } from '../shared/expressions.js';
import { itemsAt, type MatchResources, ruleOf, selectorAt } from '../shared/matching.js';

/** A webhook. Its connections stay open until its configuration changes. */
export class Webhook {
  readonly conditions: Conditions;
  /** The position among all webhooks of its plugin. */
  index = 0;
  #line: WebhookLine | undefined;

  constructor(
    readonly spec: WebhookSpec,
    private readonly open: (spec: WebhookSpec) => WebhookLine,
    later = false,
  ) {
    this.conditions = new Conditions(spec.conditions, spec.ignoresFailures, later);
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

/** Match conditions, compiled when the first request needs them. */
export class Conditions {
  #compiled: readonly Compiled[] | Promise<readonly Compiled[]> | undefined;

  constructor(
    private readonly texts: readonly string[],
    private readonly ignoresFailures: boolean,
    /** Whether they may use features of releases after 1.27. */
    private readonly later = false,
  ) {}

  /**
   * Returns whether the webhook must be asked. If a condition cannot be evaluated, the webhook is not asked, and the
   * request is refused unless the webhook's failures are ignored.
   */
  async areMet(
    attributes: AdmissionAttributes,
    seen: SeenObjects,
    context: AdmissionContext,
    onMistakes: (count: number) => void = () => {},
  ): Promise<Result<boolean>> {
    if (this.texts.length === 0) return { ok: true, value: true };
    this.#compiled ??= inTurns(compileAll(this.texts, this.later));
    const compiled = await this.#compiled;
    const rights = defineRights(context);
    const { matched: _, ...earlier } = seen;
    const variables = variablesOf(attributes, this.later ? seen : earlier, undefined, rights.ask);
    const outcome = await rights.settle(() => meetsConditions(compiled, variables));
    if (outcome.ok) return { ok: true, value: outcome.met };
    onMistakes(outcome.mistakes);
    if (this.ignoresFailures) return { ok: true, value: false };
    return { ok: false, failure: refuse(attributes, outcome.problem) };
  }
}

/** Compiles expressions step by step: there may be many. */
function* compileAll(texts: readonly string[], later: boolean): Steps<readonly Compiled[]> {
  const compiled: Compiled[] = [];
  for (const text of texts) {
    compiled.push(compile(text, { params: false, authorizer: true, later }));
    yield;
  }
  return compiled;
}

/** Versions of reviews that the server can send. */
type ReviewVersion = 'v1' | 'v1beta1';

const reviewVersions: readonly ReviewVersion[] = ['v1', 'v1beta1'];

/** One webhook of a configuration. */
export interface WebhookSpec {
  readonly configuration: string;
  readonly name: string;
  readonly match: MatchResources;
  /** Conditions that a matching request must also meet. */
  readonly conditions: readonly string[];
  readonly address: WebhookAddress;
  /** The first of its review versions that the server knows; `undefined` if it knows none. */
  readonly review: ReviewVersion | undefined;
  readonly timeoutMs: number;
  readonly ignoresFailures: boolean;
  /** Whether the webhook may be called for a dry run. */
  readonly allowsDryRun: boolean;
  /** Whether the webhook is asked again if the object changes after it was asked. */
  readonly isReinvoked: boolean;
}

/** Returns the webhooks of a configuration, in order. */
export function webhookSpecs(configuration: ApiObject): readonly WebhookSpec[] {
  const { apiVersion, kind, metadata } = configuration;
  const { name = '', uid } = metadata;
  const configuredBy = { apiVersion, kind, name, uid };
  return itemsAt(configuration, 'webhooks').map((webhook) => specOf(configuredBy, webhook));
}

function specOf(configuredBy: EventSubject, webhook: JsonObject): WebhookSpec {
  const { timeoutSeconds, admissionReviewVersions: accepted } = webhook;
  return {
    configuration: configuredBy.name,
    name: stringAt(webhook, 'name'),
    match: matchOf(webhook),
    conditions: itemsAt(webhook, 'matchConditions').map((each) => stringAt(each, 'expression')),
    address: { ...addressOf(objectAt(webhook, 'clientConfig')), configuredBy },
    review: isStringArray(accepted)
      ? accepted.flatMap((each) => reviewVersions.filter((v) => v === each))[0]
      : undefined,
    timeoutMs: (typeof timeoutSeconds === 'number' ? timeoutSeconds : 10) * 1000,
    ignoresFailures: stringAt(webhook, 'failurePolicy') === 'Ignore',
    allowsDryRun: ['None', 'NoneOnDryRun'].includes(stringAt(webhook, 'sideEffects')),
    isReinvoked: stringAt(webhook, 'reinvocationPolicy') === 'IfNeeded',
  };
}

const matchOf = (webhook: JsonObject): MatchResources => ({
  rules: itemsAt(webhook, 'rules').map(ruleOf),
  exclude: [],
  equivalent: stringAt(webhook, 'matchPolicy') === 'Equivalent',
  namespaces: selectorAt(webhook, 'namespaceSelector'),
  objects: selectorAt(webhook, 'objectSelector'),
});

function addressOf(config: JsonObject | undefined): WebhookAddress {
  const bundle = stringAt(config, 'caBundle');
  const ca = bundle === '' ? undefined : Buffer.from(bundle, 'base64').toString();
  const service = objectAt(config, 'service');
  if (!service) return { ca, url: stringAt(config, 'url') };
  return {
    ca,
    namespace: stringAt(service, 'namespace'),
    name: stringAt(service, 'name'),
    port: typeof service.port === 'number' ? service.port : 443,
    path: stringAt(service, 'path'),
  };
}

/** One request for one webhook. */
export interface Question {
  readonly webhook: Webhook;
  readonly attributes: AdmissionAttributes;
  readonly context: AdmissionContext;
  /** The version in which the webhook sees the objects. It is the version of the request if they are not converted. */
  readonly resource: ResourceModule;
  readonly seen: SeenObjects;
  readonly settings: AskSettings;
}

/** The settings that are the same for all questions. */
export interface AskSettings {
  /** The group of reviews. */
  readonly group: string;
  readonly step: 'admit' | 'validate';
  /** Whether new objects of built-in kinds are sent with a null for the time of their creation. */
  readonly unsetTimes: boolean;
  /** Whether a patch that cannot be decoded counts as a failure of the webhook, which its policy may ignore. */
  readonly undecodableFails: boolean;
  readonly observer: Observer | undefined;
}
