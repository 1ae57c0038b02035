/** The libraries, and which of them a release has. */
import type { Library } from '../environment.js';
import { authorizerLibrary, authorizerSelectorsLibrary } from './authorizer.js';
import { encodersLibrary } from './encoders.js';
import { formatsLibrary } from './formats.js';
import { listsLibrary } from './lists.js';
import { mathLibrary } from './math.js';
import { networkLibrary } from './network.js';
import { bindingsLibrary, optionalsLibrary, twoVariablesLibrary } from './optionals.js';
import { quantityLibrary } from './quantity.js';
import { regexLibrary } from './regex.js';
import { setsLibrary } from './sets.js';
import { standardLibrary } from './standard.js';
import { laterStringsLibrary, stringsLibrary } from './strings.js';
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

/** The libraries that later releases added. */
export const laterLibraries: readonly Library[] = [
  authorizerSelectorsLibrary,
  laterStringsLibrary,
  optionalsLibrary,
  bindingsLibrary,
  twoVariablesLibrary,
  setsLibrary,
  quantityLibrary,
  networkLibrary,
  formatsLibrary,
];

/** Libraries of the language that Kubernetes does not have. */
export const otherLibraries: readonly Library[] = [mathLibrary, encodersLibrary];

export const allLibraries: readonly Library[] = [...baseLibraries, ...laterLibraries, ...otherLibraries];
