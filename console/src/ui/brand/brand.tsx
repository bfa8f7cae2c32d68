import { productName } from '../product-name';
import style from './brand.module.css';

export const Brand = () => (
  <span className={style.brand}>
    <Mark />
    {productName}
  </span>
);

/** The filled square that ends a proof, with one corner lit. */
const Mark = () => (
  <svg viewBox="0 0 22 22" aria-hidden="true">
    <rect className={style.ground} width="22" height="22" rx="6" />
    <rect className={style.square} x="6" y="6" width="10" height="10" rx="1.5" />
    <rect className={style.corner} x="11" y="6" width="5" height="5" rx="1.5" />
  </svg>
);
