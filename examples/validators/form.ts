/** A form for orders: each field shows what is wrong with it. */
import { FormApi } from '@tanstack/form-core';
import type { Widget } from '../shop/generated/shop.example.com/v1/widgets/types.js';
import { validateWidget } from '../shop/generated/shop.example.com/v1/widgets/validator.js';

/** Opens the form with an order to change. */
export function openForm(widget: Widget) {
  const form = new FormApi({ defaultValues: widget, validators: { onChange: validateWidget } });
  form.mount();
  return form;
}
