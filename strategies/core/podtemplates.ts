/** PodTemplate: the defaults, rules and columns of a pod template. */
import { definePodTemplateHandlers } from '../../generated/core/v1/podtemplates/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { containersText, imagesText, isNewState, labelsText } from '../apps/workloads.js';
import { canonicalizePodTemplate, podTemplateWarnings, validatePodTemplate } from './pod-spec/pod-template.js';

export const definePodTemplates = (names: Naming): KindHandlers =>
  definePodTemplateHandlers({
    canonicalize: ({ template }) => canonicalizePodTemplate(template, names),
    validate: ({ template }) => validatePodTemplate(template, 'template', names),
    warn: (object, old) => (isNewState(object, old) ? podTemplateWarnings(object.template, 'template', names) : []),
    columns: {
      Containers: ({ template }) => containersText(template),
      Images: ({ template }) => imagesText(template),
      'Pod Labels': ({ template }) => labelsText(template?.metadata?.labels),
    },
  });
