/** One webhook of a configuration, and its connections. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  Result,
  WebhookAnswer,
  WebhookCall,
  WebhookLine,
} from '../../../runtime/contract/index.js';
import { inTurns, type Steps } from '../../../runtime/objects/turns.js';
import { type Compiled, compile } from '../expressions/compiled.js';
import { meetsConditions } from '../expressions/conditions.js';
import { defineRights } from '../expressions/rights.js';
import { variablesOf } from '../expressions/variables.js';
import type { SeenObjects } from '../matching/seen-objects.js';
import { refuse } from '../refuse.js';
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

/** Compiled when the first request asks for them. */
export class Conditions {
  #compiled: readonly Compiled[] | Promise<readonly Compiled[]> | undefined;

  constructor(
    private readonly texts: readonly string[],
    private readonly ignoresFailures: boolean,
  ) {}

  /**
   * Whether the webhook is to be asked. Where conditions cannot be evaluated it is not, and the request is refused unless
   * the webhook's failures are ignored.
   */
  async areMet(
    attributes: AdmissionAttributes,
    seen: SeenObjects,
    context: AdmissionContext,
    onMistakes: (count: number) => void = () => {},
  ): Promise<Result<boolean>> {
    if (this.texts.length === 0) return { ok: true, value: true };
    this.#compiled ??= inTurns(compileAll(this.texts));
    const compiled = await this.#compiled;
    const rights = defineRights(context);
    const variables = variablesOf(attributes, seen, undefined, rights.ask);
    const outcome = await rights.settle(() => meetsConditions(compiled, variables));
    if (outcome.ok) return { ok: true, value: outcome.met };
    onMistakes(outcome.mistakes);
    if (this.ignoresFailures) return { ok: true, value: false };
    return { ok: false, failure: refuse(attributes, outcome.problem) };
  }
}

/** Compiles expressions one by one: there may be many. */
function* compileAll(texts: readonly string[]): Steps<readonly Compiled[]> {
  const compiled: Compiled[] = [];
  for (const text of texts) {
    compiled.push(compile(text, { params: false, authorizer: true }));
    yield;
  }
  return compiled;
}
