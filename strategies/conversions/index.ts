/** Conversions between versions that no definition can declare, by the names under which definitions ask for them. */
import type { NamedConversion } from '../../runtime/contract/index.js';
import { selectorFromTemplate } from './selector-from-template.js';

/** All of them. */
export const conversions: readonly NamedConversion[] = [selectorFromTemplate];
