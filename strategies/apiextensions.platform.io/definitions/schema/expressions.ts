/** The release whose expressions rules may use. */
import {
  baseEnvironment,
  type DataTypeOptions,
  type EnvironmentOptions,
  laterEnvironment,
  laterReading,
} from '../../../../runtime/cel/index.js';

/** The functions that rules may use, and the types that they see objects by. */
export interface Expressions {
  readonly release: EnvironmentOptions;
  readonly options: DataTypeOptions;
}

/** The expressions of the emulated release, or of the latest one. */
export function expressionsOf(emulatedVersion: '1.27' | undefined): Expressions {
  return emulatedVersion === '1.27'
    ? { release: baseEnvironment, options: {} }
    : { release: laterEnvironment, options: laterReading };
}
