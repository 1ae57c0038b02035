/** Feature gates: which optional parts of the API are on. */
import type { Result } from '../contract/index.js';
import { badRequest } from '../objects/status.js';

/** A gate's stage in the life cycle: alpha is off unless asked for, beta on unless turned off, GA always on. */
export type GateStage = 'alpha' | 'beta' | 'ga';

/** The gates of the API release that Kindforge follows and knows. */
export const knownGates: Readonly<Record<string, GateStage>> = {
  APIListChunking: 'beta',
  DynamicResourceAllocation: 'alpha',
  SELinuxMountReadWriteOncePod: 'beta',
  ServerSideApply: 'ga',
  ValidatingAdmissionPolicy: 'alpha',
  WatchList: 'alpha',
};

/** Whether a gate is on where nobody has said anything about it. */
export const enabledByDefault = (gate: string): boolean =>
  Object.hasOwn(knownGates, gate) && knownGates[gate] !== 'alpha';

/** Reads `A=true,B=false`. Unknown gates, and turning off what is no longer optional, are refused by name. */
export function readFeatureGates(text: string): Result<(gate: string) => boolean> {
  const set = new Map<string, boolean>();
  for (const part of text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')) {
    const [gate = '', value = ''] = part.split('=');
    const stage = Object.hasOwn(knownGates, gate) ? knownGates[gate] : undefined;
    if (stage === undefined)
      return refuse(`unrecognized feature gate: ${gate}; known are ${Object.keys(knownGates).join(', ')}`);
    if (value !== 'true' && value !== 'false')
      return refuse(
        `invalid value of feature gate ${gate}: ${JSON.stringify(value)}; say ${gate}=true or ${gate}=false`,
      );
    if (stage === 'ga' && value === 'false')
      return refuse(`cannot set feature gate ${gate} to false, feature is locked to true`);
    set.set(gate, value === 'true');
  }
  return {
    ok: true,
    value: (gate) => set.get(gate) ?? enabledByDefault(gate),
  };
}

const refuse = (message: string): { readonly ok: false; readonly failure: ReturnType<typeof badRequest> } => ({
  ok: false,
  failure: badRequest(message),
});
