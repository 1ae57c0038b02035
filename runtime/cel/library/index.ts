/** The libraries. The file `releases.ts` says which of them a release has. */
import type { Library } from '../environment.js';
import { authorizerLibrary, authorizerSelectorsLibrary } from './authorizer.js';
import { encodersLibrary } from './encoders.js';
import { formatsLibrary } from './formats.js';
import { laterListsLibrary } from './later-lists.js';
import { listsLibrary } from './lists.js';
import { mathLibrary } from './math.js';
import { networkLibrary } from './network.js';
import { bindingsLibrary, optionalListsLibrary, optionalsLibrary, twoVariablesLibrary } from './optionals.js';
import { quantityLibrary, quantityMembersLibrary } from './quantity.js';
import { regexLibrary } from './regex.js';
import { semverLibrary } from './semver.js';
import { setsLibrary } from './sets.js';
import { standardLibrary } from './standard.js';
import { languageStringsLibrary, laterStringsLibrary, reverseLibrary, stringsLibrary } from './strings.js';
import { urlsLibrary } from './urls.js';

/** The libraries of release 1.27. The functions of the authorizer exist even without a variable for one. */
export const baseLibraries: readonly Library[] = [
  standardLibrary,
  stringsLibrary,
  listsLibrary,
  regexLibrary,
  urlsLibrary,
  authorizerLibrary,
];

/** Functions that no release of Kubernetes has. Servers have them if they emulate no release. */
export const extraLibraries: readonly Library[] = [bindingsLibrary, reverseLibrary, quantityMembersLibrary];

/** All libraries. If Kubernetes has an early form of a function, this has the function of the language. */
export const allLibraries: readonly Library[] = [
  ...baseLibraries,
  authorizerSelectorsLibrary,
  languageStringsLibrary,
  reverseLibrary,
  optionalsLibrary,
  optionalListsLibrary,
  bindingsLibrary,
  twoVariablesLibrary,
  setsLibrary,
  quantityLibrary,
  networkLibrary,
  formatsLibrary,
  semverLibrary,
  laterListsLibrary,
  mathLibrary,
  encodersLibrary,
];

export {
  authorizerSelectorsLibrary,
  bindingsLibrary,
  formatsLibrary,
  laterListsLibrary,
  laterStringsLibrary,
  networkLibrary,
  optionalListsLibrary,
  optionalsLibrary,
  quantityLibrary,
  semverLibrary,
  setsLibrary,
  twoVariablesLibrary,
};
