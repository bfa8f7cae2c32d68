import style from './brand.module.css';

/** The mark and the name; where a page leads somewhere by it, a link around it does. */
export const Brand = () => (
  <span className={style.brand}>
    <img src="/favicon.svg" alt="" />
    Identity
  </span>
);
