/** Lets the policies that apply to a request change its object. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
  Observer,
  ResourceIndex,
  ResourceModule,
  Result,
} from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { changesBetween, equal } from '../../../runtime/objects/equality.js';
import { internalFailure } from '../../../runtime/objects/status.js';
import { become } from '../define-admission-plugin.js';
import { namespaceOf, namespaceSeenBy, type SeenObjects, seenAs } from '../shared/admission-request.js';
import { defineRights, meetsConditions, type Rights, type Variables, variablesOf } from '../shared/expressions.js';
import { matchRequest, whyNot } from '../shared/matching.js';
import { findAllParams, paramKindProblem } from '../shared/params.js';
import type { Candidate } from '../shared/policy-set.js';
import { Reinvocation } from '../shared/reinvocation.js';
import { mutate } from './mutate.js';
import { type MutatingCandidate, PolicyReport } from './policy-report.js';
import type { CompiledMutatingPolicy } from './spec.js';

/** The settings that are the same for all requests. */
export interface MutationSettings {
  readonly resources: ResourceIndex;
  readonly observer?: Observer;
}

/**
 * Decides first which policies apply, then changes the object in place, policy by policy. Resolves to the refusal if a
 * policy fails and its failures refuse requests.
 */
export function applyPolicies(
  settings: MutationSettings,
  candidates: readonly MutatingCandidate[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<Failure | undefined> {
  return new PolicyRun(settings, attributes, context).run(candidates);
}

/** One policy through one binding, with one object of parameters or without any. */
interface Invocation {
  readonly candidate: MutatingCandidate;
  readonly binding: string;
  /** The version in which the policy sees the object. */
  readonly version: ResourceModule;
  readonly params: ApiObject | undefined;
}

/** The state of each write, from its first pass on. Invocations have the same key in both passes. */
const reinvocations = new WeakMap<AdmissionAttributes, Reinvocation<string>>();

/** All policies and one request. */
class PolicyRun {
  readonly #report: PolicyReport;
  readonly #rights: Rights;
  readonly #reinvocation: Reinvocation<string>;
  #wasApplied = false;

  constructor(
    private readonly settings: MutationSettings,
    private readonly attributes: AdmissionAttributes,
    private readonly context: AdmissionContext,
  ) {
    this.#report = new PolicyReport(attributes, context);
    this.#rights = defineRights(context);
    this.#reinvocation = reinvocations.get(attributes) ?? new Reinvocation();
    reinvocations.set(attributes, this.#reinvocation);
  }

  async run(candidates: readonly MutatingCandidate[]): Promise<Failure | undefined> {
    const { object, pass } = this.attributes;
    const invocations: Invocation[] = [];
    for (const candidate of candidates) invocations.push(...(await this.#invocationsOf(candidate)));
    if (invocations.length > 0 && pass?.isSecond) this.#reinvocation.begin(object);
    for (const invocation of invocations) {
      const failure = await this.#invoke(invocation);
      if (failure) return failure;
    }
    // As in the reference, earlier policies are used again even if the changes left the object as it was.
    if (this.#wasApplied) this.#changed();
    if (invocations.length > 0) this.#reinvocation.end(object && clone(object));
    return this.#report.refusal();
  }

  #changed(): void {
    this.#reinvocation.require();
    this.attributes.pass?.again();
  }

  async #invocationsOf(candidate: MutatingCandidate): Promise<readonly Invocation[]> {
    const { attributes, context } = this;
    const { policy, match, bindings } = candidate;
    const matched = matchRequest(match, attributes, context);
    if (!matched.ok) return this.#report.misconfigured(candidate, matched.failure.message);
    if (!matched.value) {
      this.#report.explain(candidate, { outcome: 'not asked', ...messageOf(whyNot(match, attributes, context)) });
      return [];
    }
    const problem = paramKindProblem(policy.spec.paramKind, this.settings.resources);
    if (problem !== undefined) return this.#report.misconfigured(candidate, problem);
    const found: Invocation[] = [];
    for (const binding of bindings) found.push(...(await this.#invocationsBy(candidate, binding, matched.value)));
    return found;
  }

  async #invocationsBy(
    candidate: MutatingCandidate,
    { binding, match }: Candidate,
    version: ResourceModule,
  ): Promise<readonly Invocation[]> {
    const { attributes, context } = this;
    const { name, param } = binding;
    const matched = match && matchRequest(match, attributes, context);
    if (matched && !matched.ok) return this.#report.misconfigured(candidate, matched.failure.message, name);
    if (match && matched && !matched.value) {
      this.#report.explain(candidate, {
        outcome: 'not asked',
        of: name,
        ...messageOf(whyNot(match, attributes, context)),
      });
      return [];
    }
    const { paramKind } = candidate.policy.spec;
    const params = await findAllParams(paramKind, param, this.settings.resources, context, namespaceOf(attributes));
    if (!params.ok) return this.#report.misconfigured(candidate, params.failure.message, name);
    return params.value.map((one) => ({ candidate, binding: name, version, params: one }));
  }

  /** Uses a policy. Returns the failure that ends the write, if any. */
  async #invoke(invocation: Invocation): Promise<Failure | undefined> {
    const { attributes, context } = this;
    const { candidate, binding, version, params } = invocation;
    const { spec } = candidate.policy;
    const seen = await seenAs(version, attributes, context);
    if (!seen.ok) return seen.failure;
    const compiled = await candidate.policy.compiled;
    const variables = this.#variables(seen.value, params);
    const met = await this.#rights.settle(() => meetsConditions(compiled.conditions, variables));
    if (!met.ok) {
      this.settings.observer?.conditionsFailed({ name: spec.name, kind: 'policy' }, met.mistakes);
      this.#report.failed(candidate, binding, met.problem);
      return undefined;
    }
    if (!met.met) {
      this.#report.explain(candidate, { outcome: 'not asked', of: binding, message: 'its match conditions are false' });
      return undefined;
    }
    const key = JSON.stringify([spec.name, binding, params?.metadata.namespace, params?.metadata.name]);
    if (attributes.pass?.isSecond && !this.#reinvocation.takes(key)) return undefined;
    const failure = await this.#mutateAll(invocation, compiled, seen.value);
    if (spec.isReinvoked) this.#reinvocation.asked(key);
    return failure;
  }

  /**
   * Makes the changes of a policy in order. A change that fails leaves the object as it is, and the next one follows.
   */
  async #mutateAll(
    invocation: Invocation,
    compiled: CompiledMutatingPolicy,
    seen: SeenObjects,
  ): Promise<Failure | undefined> {
    const began = performance.now();
    const { attributes, context } = this;
    const { candidate, binding } = invocation;
    const before = seen.object;
    let object = before;
    let failed = false;
    if (!object) return undefined;
    for (const mutation of compiled.mutations) {
      const given = this.#variables({ ...seen, object }, invocation.params);
      const request = { operation: attributes.operation, context, rights: this.#rights };
      const made = await mutate(mutation, compiled, object, given, request);
      if (made.outcome === 'failed') return made.failure;
      if (made.outcome === 'problem') {
        failed = true;
        this.#report.failed(candidate, binding, made.problem);
      } else {
        this.#wasApplied = true;
        object = made.object;
      }
    }
    const milliseconds = performance.now() - began;
    const { observer } = this.settings;
    observer?.evaluated(milliseconds / 1000);
    observer?.mutationChecked({ policy: candidate.policy.spec.name, binding, failed }, milliseconds / 1000);
    const isChanged = before !== undefined && object !== before && !equal(object, before);
    if (!isChanged || !before) {
      this.#report.explain(candidate, { outcome: 'admitted', of: binding, milliseconds });
      return undefined;
    }
    const patch = context.explain ? { patch: [...changesBetween(before, object)] } : {};
    this.#report.explain(candidate, { outcome: 'changed', of: binding, milliseconds, ...patch });
    return this.#take(object);
  }

  /** Makes a changed object the object of the request, in the version of the request. */
  async #take(made: ApiObject): Promise<Failure | undefined> {
    const { object } = this.attributes;
    if (!object) return undefined;
    const own: Result<ApiObject> | undefined =
      made.apiVersion === object.apiVersion
        ? { ok: true, value: made }
        : await this.context.convert(made, object.apiVersion);
    if (!own) return internalFailure(`failed to convert object: no version ${object.apiVersion}`);
    if (!own.ok) return own.failure;
    become(object, own.value);
    this.#changed();
    return undefined;
  }

  #variables(seen: SeenObjects, params: ApiObject | undefined): Variables {
    const { attributes, context } = this;
    return variablesOf(attributes, seen, params, this.#rights.ask, namespaceSeenBy(attributes, context));
  }
}

const messageOf = (message: string | undefined) => (message === undefined ? {} : { message });
