/** Metrics of admission: its steps, plugins, webhooks and policies, and the expressions of policies and schemas. */
import { admissionSeconds, counter, histogram, type MetricGroup, usualSeconds, webhookSeconds } from '../metric.js';

const check = ['enforcement_action', 'policy', 'policy_binding', 'state', 'validation_result'];

export const admission = {
  heading: 'Admission and expressions',
  metrics: {
    steps: histogram(
      'apiserver_admission_step_admission_duration_seconds',
      'Seconds of a step of admission: all plugins that may change a write, or all that may only refuse it.',
      admissionSeconds,
      { labels: ['operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    plugins: histogram(
      'apiserver_admission_controller_admission_duration_seconds',
      'Seconds of one admission plugin.',
      admissionSeconds,
      { labels: ['name', 'operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    webhooks: histogram(
      'apiserver_admission_webhook_admission_duration_seconds',
      'Seconds in which one admission webhook was asked.',
      webhookSeconds,
      { labels: ['name', 'operation', 'rejected', 'type'], stability: 'STABLE' },
    ),
    webhookRequests: counter(
      'apiserver_admission_webhook_request_total',
      'Questions to admission webhooks by the code of what came of them; codes above 600 count as 600.',
      { labels: ['code', 'name', 'operation', 'rejected', 'type'] },
    ),
    webhookRejections: counter(
      'apiserver_admission_webhook_rejection_count',
      'Writes refused by an admission webhook, or for its failure.',
      { labels: ['error_type', 'name', 'operation', 'rejection_code', 'type'] },
    ),
    webhookFailOpen: counter(
      'apiserver_admission_webhook_fail_open_count',
      'Failures of admission webhooks for which no write was refused.',
      { labels: ['name', 'type'] },
    ),
    conditionErrors: counter(
      'apiserver_admission_admission_match_condition_evaluation_errors_total',
      'Conditions of admission webhooks and policies that could not be evaluated.',
      { labels: ['name', 'type'] },
    ),
    policyChecks: counter(
      'apiserver_validating_admission_policy_check_total',
      'Evaluations of admission policies by what followed.',
      { labels: check },
    ),
    policySeconds: histogram(
      'apiserver_validating_admission_policy_check_duration_seconds',
      'Seconds of an evaluation of an admission policy.',
      [0.0000005, 0.001, 0.01, 0.1, 1],
      { labels: check },
    ),
    podSecurityJudgements: counter(
      'pod_security_evaluations_total',
      'Pods held against the pod security policies of their namespaces, by policy and by what came of it.',
      {
        labels: [
          'decision',
          'mode',
          'ocp_namespace',
          'policy_level',
          'policy_version',
          'request_operation',
          'resource',
          'subresource',
        ],
      },
    ),
    podSecurityExemptions: counter(
      'pod_security_exemptions_total',
      'Writes of pods and workloads that pod security does not look at, as an exemption has it.',
      { labels: ['request_operation', 'resource', 'subresource'] },
    ),
    compilation: histogram(
      'apiserver_cel_compilation_duration_seconds',
      'Seconds in which the expressions of a policy were compiled.',
      usualSeconds,
    ),
    evaluation: histogram(
      'apiserver_cel_evaluation_duration_seconds',
      'Seconds in which the expressions of a policy or a schema were evaluated for one object.',
      usualSeconds,
    ),
  },
} as const satisfies MetricGroup;
