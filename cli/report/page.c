// page.c: the report of a model as a page of HTML that needs no other file.
//
// Names and messages come from files that nobody vouches for: they are written as text only, and
// the page forbids itself to run or to fetch anything.

#include <condyle/output.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "markup.h"
#include "report/portrait.h"
#include "report/report.h"

enum {
  MOST_PICTURED = 300,  // bodies; each has up to 15 kB of pictures
};

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
    "style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>\n"
    ":root{color-scheme:light "
    "dark;--ink:#222;--quiet:#666;--line:#ddd;--paper:#fff;--mark:#b45309}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#ddd;--quiet:#999;--line:#3a3a3a;--paper:#"
    "161616;"
    "--mark:#f0b060}}\n"
    "body{font:14px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:1280px;margin:2em auto;padding:0 1em}\n"
    "h1{font-size:22px;margin:0}h2{font-size:16px;margin:0 0 .4em}p{margin:.3em 0}\n"
    "h1,h2,td,li{overflow-wrap:anywhere}small,.quiet{color:var(--quiet);font-weight:normal}\n"
    "section{border-top:1px solid var(--line);padding:1em 0;display:grid;gap:0 1.5em;"
    "grid-template-columns:minmax(0,1fr) auto}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "th,td{text-align:left;padding:2px 10px 2px 0;vertical-align:top;white-space:nowrap}\n"
    "td:first-child{white-space:normal}\n"
    "th{color:var(--quiet);font-weight:normal;font-size:12px}\n"
    ".n{text-align:right}.all{grid-column:1/-1;display:block}\n"
    "ul{margin:.5em 0 0;padding:0;list-style:none}li{color:var(--mark)}\n"
    "figure{margin:0;display:flex;gap:8px}figure "
    "div{min-width:240px;text-align:center;color:var(--quiet);"
    "font-size:12px}\n"
    "img{display:block;background:#fff;border-radius:6px;max-width:100%}\n"
    ".bar{display:inline-block;height:8px;background:var(--mark);border-radius:2px}\n"
    "@media(max-width:900px){section{display:block}}\n"
    "</style>\n";

typedef struct Page_ {
  FILE* file;
  const Report* report;
  Portraits* portraits;  // NULL: nothing can be drawn
  int pictured;          // bodies that have pictures
  double all;            // cost of the model
} Page;

static void text(const Page* page, const char* plain) {
  markup_text(page->file, plain, strlen(plain));
}

// A picture beside another one; a place without one says what isn't there.
static void write_picture(const Page* page, int body, int collides, int scale) {
  size_t length = 0;
  void* png = portraits_draw(&length, page->portraits, body, collides, scale);
  int width = scale * PORTRAIT_WIDTH, height = scale * PORTRAIT_HEIGHT;
  fprintf(page->file, "<div>");
  if (png) {
    fprintf(page->file, "<img width=\"%d\" height=\"%d\" alt=\"\" src=\"data:image/png;base64,",
            width, height);
    markup_base64(page->file, png, length);
    fprintf(page->file, "\">%s", collides ? "collision" : "visual");
  } else {
    fprintf(page->file, "no %s", collides ? "collision" : "visual");
  }
  fprintf(page->file, "</div>");
  free(png);
}

static void write_pictures(Page* page, int body, int scale) {
  if (page->portraits && page->pictured++ < MOST_PICTURED) {
    fprintf(page->file, "<figure>");
    write_picture(page, body, 1, scale);
    write_picture(page, body, 0, scale);
    fprintf(page->file, "</figure>\n");
  }
}

static void write_count(const Page* page, double count) {
  if (count > 0) {
    fprintf(page->file, "<td class=\"n\">%.0f</td>", ceil(count));
  } else {
    fprintf(page->file, "<td class=\"n\">-</td>");
  }
}

static void write_geom(const Page* page, int geom) {
  const Report* report = page->report;
  const mjModel* m = report->m;
  char size[48];
  report_size(size, m, geom);
  fprintf(page->file, "<tr><td>");
  text(page, report_geomname(m, geom));
  fprintf(page->file, "</td><td>%s</td><td>%s</td><td>%s</td>", report_use(report, geom),
          report_kind(m, geom), size);
  write_count(page, report_vertices(m, geom));
  write_count(page, report_hullvertices(m, geom));
  write_count(page, report_cost(report, geom));
  fprintf(page->file, "</tr>\n");
}

static void write_note(const Page* page, const cndDiagnostic* problem) {
  char place[200];
  report_place(place, problem);
  fprintf(page->file, "<li>");
  text(page, place);
  text(page, problem->message);
  if (problem->hint[0]) {
    fprintf(page->file, " (");
    text(page, problem->hint);
    fprintf(page->file, ")");
  }
  fprintf(page->file, "</li>\n");
}

static void write_notes(const Page* page, int body) {
  const Report* report = page->report;
  fprintf(page->file, "<ul>");
  for (int at = 0, first = 1, partner;
       body >= 0 && (partner = report_partner(&at, report->m, body)) >= 0; first = 0) {
    fprintf(page->file, "%s", first ? "<li>never collides with " : ", ");
    text(page, report_bodyname(report->m, partner));
  }
  for (int i = 0; i < report->nnote; i++) {
    if (report->notes[i].body == body) {
      write_note(page, report->notes[i].problem);
    }
  }
  fprintf(page->file, "</ul>\n");
}

// Has a body a geom that can be drawn? A plane has no end.
static int has_shape(const mjModel* m, int body) {
  int has = 0;
  for (int k = 0; k < m->body_geomnum[body]; k++) {
    has |= m->geom_type[m->body_geomadr[body] + k] != mjGEOM_PLANE;
  }
  return has;
}

static void write_body(Page* page, int body) {
  const mjModel* m = page->report->m;
  double cost = report_bodycost(page->report, body);
  fprintf(page->file, "<section><div><h2>");
  text(page, report_bodyname(m, body));
  fprintf(page->file, " <small>%.5g kg", (double)m->body_mass[body]);
  if (cost > 0) {
    fprintf(page->file, ", cost %.0f <span class=\"bar\" style=\"width:%.0fpx\"></span>",
            ceil(cost), ceil(200 * cost / page->all));
  }
  fprintf(page->file, "</small></h2>\n");
  if (m->body_geomnum[body]) {
    fprintf(page->file,
            "<table><tr><th>geom<th>use<th>kind<th>size m<th class=\"n\">vertices<th class=\"n\">"
            "of hull<th class=\"n\">cost</tr>\n");
    for (int k = 0; k < m->body_geomnum[body]; k++) {
      write_geom(page, m->body_geomadr[body] + k);
    }
    fprintf(page->file, "</table>\n");
  }
  write_notes(page, body);
  fprintf(page->file, "</div>\n");
  if (has_shape(m, body)) {
    write_pictures(page, body, 1);
  }
  fprintf(page->file, "</section>\n");
}

static void write_page(Page* page, const char* reason) {
  const Report* report = page->report;
  const mjModel* m = report->m;
  fprintf(page->file, "%s<title>", head);
  text(page, m->names);
  fprintf(page->file, "</title>\n<h1>");
  text(page, m->names);
  fprintf(page->file, "</h1>\n<p class=\"quiet\">");
  text(page, report->path);
  fprintf(page->file, "</p>\n<p>%d bodies of %.6g kg, %d geoms, a collision cost of %.0f</p>\n",
          (int)m->nbody - 1, (double)m->body_subtreemass[0], (int)m->ngeom, ceil(page->all));
  if (!page->portraits) {
    fprintf(page->file, "<p class=\"quiet\">There are no pictures here: ");
    text(page, reason);
    fprintf(page->file, "</p>\n");
  }
  fprintf(page->file, "<section class=\"all\">\n");
  write_pictures(page, -1, 2);
  write_notes(page, -1);
  fprintf(page->file, "</section>\n");
  for (int body = 0; body < m->nbody; body++) {
    if (report_has(report, body)) {
      write_body(page, body);
    }
  }
  if (page->pictured > MOST_PICTURED) {
    fprintf(page->file, "<p class=\"quiet\">Only the first %d bodies have pictures.</p>\n",
            MOST_PICTURED);
  }
  fprintf(page->file, "</html>\n");
}

int report_write(const Report* report, const char* out) {
  cndOutput output;
  if (!cnd_openOutput(&output, out)) {
    return tell_unwritten(out, output.reason);
  }
  char reason[600] = "";
  Page page = {.file = output.file, .report = report, .all = report_allcost(report)};
  page.portraits = portraits_open(reason, sizeof reason, report);
  write_page(&page, reason);
  portraits_close(page.portraits);
  return cnd_closeOutput(&output, 1) ? STATUS_OK : tell_unwritten(out, output.reason);
}
