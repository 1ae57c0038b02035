/** Conversions between versions that no definition can declare, by the names under which definitions ask for them. */
import type { NamedConversion } from '../../runtime/contract/index.js';

/** All of them. */
export const conversions: readonly NamedConversion[] = [];
