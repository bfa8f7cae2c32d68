import style from './brand.module.css';

/** The logo and the name, without a link. */
export const Brand = () => (
  <span className={style.brand}>
    <img src="/favicon.svg" alt="" />
    Identity
  </span>
);
