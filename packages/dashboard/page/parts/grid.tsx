import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { drawnRows, moveBy, offsetShowing, type Viewport, visibleRows } from '../../src/grid/index.ts'

export interface GridColumn<C extends string> {
  readonly id: C
  readonly title: string
  /** Names the class of its cells, which gives them their width. */
  readonly class: string
  readonly isSortable: boolean
}

export interface GridProps<R, C extends string> {
  readonly label: string
  readonly columns: readonly GridColumn<C>[]
  readonly rows: readonly R[]
  readonly rowHeight: number
  readonly keyOf: (row: R) => string
  /** The cells of a row, in the order of the columns. */
  readonly cells: (row: R) => readonly ComponentChildren[]
  readonly rowClass?: (row: R) => string
  readonly open: (row: R) => void
  readonly sort?: { readonly column: C; readonly isDescending: boolean; readonly by: (column: C) => void }
}

/** What stands over the top of the window: the bar of the page and the heading of the table. Agrees with `--bar` in the styles. */
const covered = 52 + 36

/**
 * A table of any length that scrolls with the page and draws only the rows near the window.
 *
 * It is one stop of the Tab key. Within, arrows move from row to row and Enter opens one; the focus stays on the table and a screen reader is told which row is
 * meant, because rows come and go with the window and a focus on one of them would be lost.
 */
export function Grid<R, C extends string>(props: GridProps<R, C>): JSX.Element {
  const { rows, rowHeight, columns, keyOf, sort } = props
  const body = useRef<HTMLDivElement>(null)
  const [viewport, setViewport] = useState<Viewport>({ offset: 0, height: 900, rowHeight, count: rows.length })
  const [activeKey, setActiveKey] = useState<string | undefined>(undefined)
  useLayoutEffect(() => {
    const measure = (): void => {
      const offset = -(body.current?.getBoundingClientRect().top ?? 0)
      setViewport((before) => {
        const next = { offset, height: innerHeight, rowHeight, count: 0 }
        // Most scrolls change nothing that is drawn.
        const [was, is] = [visibleRows({ ...before, count: 1e9 }), visibleRows({ ...next, count: 1e9 })]
        return was.first === is.first && was.end === is.end && before.count === 0 ? before : next
      })
    }
    measure()
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [rowHeight])
  const range = visibleRows({ ...viewport, count: rows.length })
  const active = activeKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === activeKey)

  const show = (index: number): void => {
    const row = rows[index]
    if (row === undefined) return
    setActiveKey(keyOf(row))
    const top = body.current?.getBoundingClientRect().top ?? 0
    const offset = offsetShowing(index, { offset: -top, height: innerHeight, rowHeight, count: rows.length }, covered)
    if (offset !== undefined) scrollTo({ top: offset + top + scrollY })
  }
  const press = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((innerHeight - covered) / rowHeight) - 1)
    const target = moveBy(event.key, active, rows.length, page)
    const row = rows[active]
    if (target !== undefined) show(target)
    else if (event.key === 'Enter' && row !== undefined) props.open(row)
    else return
    event.preventDefault()
  }
  const drawn = rows.slice(range.first, range.end)
  const slots = drawnRows(viewport)
  const isActiveDrawn = active >= range.first && active < range.end
  return (
    <div
      class="grid"
      role="grid"
      tabindex={0}
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={isActiveDrawn ? `row-${active}` : undefined}
      onKeyDown={press}
      onFocus={(event) => {
        if (event.target === event.currentTarget && active < 0 && event.currentTarget.matches(':focus-visible'))
          setActiveKey(firstKey(rows, keyOf))
      }}
    >
      <div class="grid-head" role="rowgroup">
        <div class="grid-row" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <div
              key={column.id}
              class={`cell ${column.class}`}
              role="columnheader"
              aria-sort={sort?.column === column.id ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
            >
              {column.isSortable && sort !== undefined ? (
                <button type="button" class="grid-sort" onClick={() => sort.by(column.id)}>
                  {column.title}
                  <span class="grid-arrow" aria-hidden="true">
                    {sort.column === column.id ? (sort.isDescending ? '↓' : '↑') : ''}
                  </span>
                </button>
              ) : (
                column.title
              )}
            </div>
          ))}
        </div>
      </div>
      <div class="grid-body" role="rowgroup" ref={body} style={{ height: `${rows.length * rowHeight}px` }}>
        {drawn.map((row, position) => {
          const index = range.first + position
          const cells = props.cells(row)
          return (
            <div
              // What leaves on one side is used again on the other: elements cost more to make than to change.
              key={index % slots}
              id={`row-${index}`}
              class={`grid-row ${index === active ? 'active' : ''} ${props.rowClass?.(row) ?? ''}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === active}
              style={{ top: `${index * rowHeight}px` }}
              onClick={(event) => {
                if (event.target instanceof Element && event.target.closest('a, button') === null && getSelection()?.isCollapsed !== false)
                  props.open(row)
              }}
            >
              {columns.map((column, number) => (
                <div key={column.id} class={`cell ${column.class}`} role="gridcell">
                  {cells[number]}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function firstKey<R>(rows: readonly R[], keyOf: (row: R) => string): string | undefined {
  const [first] = rows
  return first === undefined ? undefined : keyOf(first)
}
