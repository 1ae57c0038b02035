/** The single requests that take the longest, in groups. The test sends each group to a server of its own, in order. */
import type { Heavy } from './probed-server.js';
import { applies, bodies, collections, lists, metadata, urls, wideObjects } from './requests/built-in.js';
import { boundPolicies, customObjects, definedKinds, roles } from './requests/custom.js';
import { admitted, defaults, emptyItems, searches } from './requests/multiplied.js';

export const heavyRequests: Readonly<Record<string, readonly Heavy[]>> = {
  'wide objects': wideObjects,
  apply: applies,
  metadata,
  bodies,
  'lists of built-in kinds': [...lists, ...collections],
  'URLs and headers': urls,
  'custom objects': customObjects,
  definitions: definedKinds,
  policies: boundPolicies,
  roles,
  'defaults of many items': defaults,
  'columns that search': searches,
  'admission that multiplies': admitted,
  'lists of empty items': emptyItems,
};
