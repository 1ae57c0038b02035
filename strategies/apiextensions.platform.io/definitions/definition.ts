/** The types of a definition's parts on their way into the store. */
import type { CustomResourceDefinition } from '../../../generated/apiextensions.platform.io/v1/customresourcedefinitions/types.js';
import type {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../../generated/types/apiextensions/v1/types.js';
import type { Draft, DraftObject } from '../../../runtime/contract/index.js';

export type Definition = DraftObject<CustomResourceDefinition>;
export type Spec = Draft<CustomResourceDefinitionSpec>;
export type Version = Draft<CustomResourceDefinitionVersion>;
export type Names = Draft<CustomResourceDefinitionNames>;
