/** Which release's expressions rules are written in. */
import {
  baseEnvironment,
  type DataTypeOptions,
  type EnvironmentOptions,
  laterEnvironment,
} from '../../../../runtime/cel/index.js';

/** What rules may use, and how they see objects. */
export interface Expressions {
  readonly release: EnvironmentOptions;
  readonly options: DataTypeOptions;
}

/** What later releases offer, or no more than a given one does. */
export function expressionsOf(emulatedVersion: '1.27' | undefined): Expressions {
  return emulatedVersion === '1.27'
    ? { release: baseEnvironment, options: {} }
    : { release: laterEnvironment, options: { plainKeywords: true } };
}
