interface Row {
  /** Titles can be equal: in autumn, an hour comes twice. */
  readonly id: string | number;
  readonly title: string;
  readonly values: readonly string[];
}

/** What a chart shows, as a table for screen readers. */
export const HiddenTable = ({
  caption,
  head: [first, ...columns],
  rows,
}: {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly Row[];
}) => (
  <div className="visually-hidden">
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, title, values }) => (
          <tr key={id}>
            <th scope="row">{title}</th>
            {columns.map((name, at) => (
              <td key={name}>{values[at]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
