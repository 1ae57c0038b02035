/** Takes orders with h3. Invalid orders get a 400. */
import { H3, readValidatedBody } from 'h3';
import { validateWidget } from '../shop/generated/shop.example.com/v1/widgets/validator.js';

export const app = new H3().post('/orders', async (event) => {
  const widget = await readValidatedBody(event, validateWidget);
  return `${widget.spec.count} ${widget.spec.size}`;
});
