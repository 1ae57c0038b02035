/** The interface of an emitter. */
import type { Model, ResourceModel } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';

/** An emitter: one kind of output, a pure function of the model. */
export interface Emitter {
  /** As in `types`, `openapi-v3`. */
  readonly name: string;
  /** Files of one resource; called again only when that resource, a type it uses, or what it depends on has changed. */
  readonly emitResource?: (resource: ResourceModel, model: Model) => readonly OutputFile[];
  /** A text that changes with every input of the files of a resource, except for the resource and its types. */
  readonly dependsOn?: (resource: ResourceModel, model: Model) => string;
  /** Files that need the whole model. */
  readonly emitModel?: (model: Model) => readonly OutputFile[];
}
