/** Settings that kinds receive before the store is open, and that take effect later. */
import { readFileSync } from 'node:fs';
import type { RuleResolver } from '../plugins/index.js';
import type { Store } from '../runtime/contract/index.js';
import type { TokenIssuer } from '../strategies/index.js';
import { modesOf } from './authorization.js';
import { isSystemError } from './explain.js';
import type { KindSettings } from './kinds.js';
import { OptionError, type OptionName } from './option-error.js';
import type { OnProblem, StartOptions } from './options.js';
import { type OpenedWebhookCalls, webhookCalls } from './webhooks/webhook-calls.js';

/** Parts of a server that are made after its kinds, because reading the store needs the kinds. */
export interface DeferredParts {
  readonly store: Store;
  readonly issuer: TokenIssuer;
  readonly rules?: RuleResolver;
}

export interface DeferredSettings {
  readonly settings: KindSettings;
  /** Connects to conversion webhooks. */
  readonly openConversion: OpenedWebhookCalls['openConversion'];
  /** Sets the parts. Call it before any request. */
  complete(parts: DeferredParts): void;
  /** Starts the work of the settings. Call it once the server has created the objects that it needs. */
  begin(): void;
}

export function defineDeferredSettings(options: StartOptions, onProblem: OnProblem): DeferredSettings {
  let known: DeferredParts | undefined;
  let hasBegun = false;
  const { openConversion, ...calls } = webhookCalls(options.admission?.serviceAddresses, onProblem);
  const parts = (): DeferredParts => {
    if (!known) throw new Error('a kind asks for a part of the server before the server has it');
    return known;
  };
  const { serviceRanges, tolerations, emulatedVersion } = options;
  const { authentication: { serviceAccounts: { maxSeconds } = {} } = {} } = options;
  const rules: RuleResolver = {
    rulesOf: (user, namespace) => parts().rules?.rulesOf(user, namespace) ?? { rules: [], problems: [] },
    rulesToCome: (role) => parts().rules?.rulesToCome(role),
  };
  return {
    settings: {
      serviceRanges,
      tolerations,
      volumeLabels: options.admission?.volumeLabels,
      emulatedVersion,
      issuer: { issue: (claims) => parts().issuer.issue(claims), maxSeconds },
      components: [{ name: 'storage', problem: () => parts().store.health() }],
      webhooks: { ...calls, areAsked: () => hasBegun },
      ...(modesOf(options.authorization).includes('RBAC') ? { rules } : {}),
    },
    openConversion,
    complete: (all) => {
      known = all;
    },
    begin: () => {
      hasBegun = true;
    },
  };
}

/** Reads a file. Throws an `OptionError` that names its option. */
export function readGiven(option: OptionName, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new OptionError((nameOf) => `${nameOf(option)} ${path}: ${error.message}`, { cause: error });
  }
}
