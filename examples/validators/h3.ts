/** Takes orders over h3: what does not fit is answered with 400. */
import { H3, readValidatedBody } from 'h3';
import { validateWidget } from '../shop/generated/shop.example.com/v1/widgets/validator.js';

export const app = new H3().post('/orders', async (event) => {
  const widget = await readValidatedBody(event, validateWidget);
  return `${widget.spec.count} ${widget.spec.size}`;
});
