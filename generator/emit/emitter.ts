/** The interface of an emitter. */
import type { Model, ResourceModel } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';

/** An emitter: one kind of output, a pure function of the model. */
export interface Emitter {
  /** As in `types`, `openapi-v3`. */
  readonly name: string;
  /** Files of one resource; called again only when that resource, a type it uses, or what it depends on has changed. */
  readonly emitResource?: (resource: ResourceModel, model: Model) => readonly OutputFile[];
  /** What the files of a resource follow from besides the resource and its types: a text that changes with it. */
  readonly dependsOn?: (resource: ResourceModel, model: Model) => string;
  /** Files that need the whole model. */
  readonly emitModel?: (model: Model) => readonly OutputFile[];
}
