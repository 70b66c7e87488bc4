import type { WireReport } from '#lib/api/report.ts';
import type { DocumentSection, SummaryFigure, Text } from '#lib/report/document.ts';
import { makeDocument } from '#lib/report/make-document.ts';
import { ReportPicture } from './report-picture.tsx';
import { Linked, ReportTable } from './report-table.tsx';

/** A report, for paper first: what it is about, in sentences, four figures, and then everything they are made of. */
export function ReportBody({ report }: { readonly report: WireReport }) {
  const document = makeDocument(report);
  return (
    <article className="report">
      <h1>{document.title}</h1>
      <p className="report-sub">{document.subtitle}</p>
      {document.notices.map((notice) => (
        <p key={notice} className="report-notice">
          {notice}
        </p>
      ))}
      <div className="report-lead">
        {document.lead.map((paragraph) => (
          <Paragraph key={paragraph.map(({ text }) => text).join('')} pieces={paragraph} />
        ))}
      </div>
      {document.figures.length > 0 && (
        <dl className="report-heads">
          {document.figures.map((figure) => (
            <Figure key={figure.label} figure={figure} />
          ))}
        </dl>
      )}
      {document.reading.length > 0 && (
        <section>
          <h2>How to read this report</h2>
          <dl className="report-reading">
            {document.reading.map(({ term, meaning }) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <div className="report-sections">
        {document.sections.map((section) => (
          <Section key={section.id} section={section} report={report} />
        ))}
      </div>
      <p className="report-foot">{document.foot.join(' ')}</p>
    </article>
  );
}

function Paragraph({ pieces }: { readonly pieces: Text }) {
  return (
    <p>
      {pieces.map(({ text, strong, href }) => {
        const words = <Linked href={href} text={text} />;
        return strong === true ? <b key={text}>{words}</b> : <span key={text}>{words}</span>;
      })}
    </p>
  );
}

function Figure({ figure: { label, value, meaning, note, href } }: { readonly figure: SummaryFigure }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="report-value">
        <Linked href={href ?? undefined} text={value} />
      </dd>
      <dd className="report-was">{note}</dd>
      <dd className="report-meaning">{meaning}</dd>
    </div>
  );
}

function Section({ section, report }: { readonly section: DocumentSection; readonly report: WireReport }) {
  const { id, title, note, picture, table } = section;
  return (
    <section id={id} className={`report-part report-${id}`}>
      <h2>
        {title} {note !== '' && <small>{note}</small>}
      </h2>
      {picture !== null && <ReportPicture picture={picture} report={report} />}
      {picture === null ? (
        <ReportTable table={table} label={title} />
      ) : (
        <details className="screen-only">
          <summary>As a table</summary>
          <ReportTable table={table} label={title} />
        </details>
      )}
    </section>
  );
}
