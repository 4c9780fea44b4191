//===- ReportHtml.cpp - a report as one page ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assets.h"
#include "HtmlText.h"

#include "tenon/Report/OptimizeReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tenon::report;

std::string tenon::report::escapeHtml(StringRef text) {
  std::string escaped;
  raw_string_ostream os(escaped);
  printHTMLEscaped(json::fixUTF8(text), os);
  return escaped;
}

/// Escapes JSON for a script element. A name may contain the element's end tag
/// or the start of a comment: `<`, `>` and `&` occur only within strings, where
/// JSON allows an escape. The two line separators are allowed in JSON, but not
/// in old scripts.
static std::string escapeForScript(StringRef jsonText) {
  std::string escaped;
  escaped.reserve(jsonText.size());
  for (size_t i = 0; i != jsonText.size(); ++i) {
    StringRef rest = jsonText.drop_front(i);
    if (rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9")) {
      escaped += rest[2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (rest[0] == '<' || rest[0] == '>' || rest[0] == '&') {
      escaped += "\\u00";
      escaped += utohexstr(rest[0], /*LowerCase=*/true);
    } else {
      escaped += rest[0];
    }
  }
  return escaped;
}

std::string tenon::report::getHashSource(StringRef content) {
  auto hash = SHA256::hash(arrayRefFromStringRef(content));
  return ("'sha256-" + encodeBase64(hash) + "'");
}

std::string tenon::report::renderHtml(const OptimizeReport &report) {
  std::string script =
      ("(function () {\n'use strict';\n" + getScript() + "})();\n").str();
  std::string style = getStyle().str();
  std::string data;
  raw_string_ostream(data) << toJson(report);

  std::string title =
      escapeHtml(report.model.empty() ? "model without a name" : report.model);
  std::string page;
  raw_string_ostream os(page);
  // The policy holds even if a name is escaped incorrectly: nothing is loaded,
  // and no other script runs.
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n"
     << "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; base-uri 'none'; form-action 'none'; style-src "
     << getHashSource(style) << "; script-src " << getHashSource(script)
     << "\">\n"
     << "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n"
     << "<meta name=\"color-scheme\" content=\"light dark\">\n"
     << "<title>" << title << " - Tenon optimization report</title>\n"
     << "<style>" << style << "</style>\n</head>\n<body>\n"
     << "<header class=\"top\"><p class=\"kicker\">Tenon optimization "
        "report</p>\n<h1>"
     << title << "</h1></header>\n"
     << "<main id=\"report\"></main>\n"
     << "<noscript><p>This page draws its data with a script, and scripts are "
        "off.</p></noscript>\n"
     << "<script type=\"application/json\" id=\"report-data\">"
     << escapeForScript(data) << "</script>\n"
     << "<script>" << script << "</script>\n</body>\n</html>\n";
  return page;
}
