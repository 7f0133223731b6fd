#include "web/document_view.h"

#include <algorithm>

namespace ordo::web {
namespace {

class DocumentView final : public View {
 public:
  DocumentView(std::string kind, std::string title, Json document)
      : kind_(std::move(kind)), title_(std::move(title)), document_(std::move(document)) {}

  std::string_view kind() const override { return kind_; }
  std::string title() const override { return title_; }
  std::vector<Endpoint> endpoints() override {
    return {{.name = "document",
             .answer = [this](const Json&) -> Result<Json> { return document_; },
             .get = true}};
  }

 private:
  const std::string kind_, title_;
  const Json document_;
};

bool isTrial(const Json& entry) {
  return entry.is_object() && entry.contains("verdict") && entry.contains("identical") &&
         entry.contains("least_effect");
}

}  // namespace

std::string kindOf(const Json& document) {
  if (document.is_array() && !document.empty() && std::ranges::all_of(document, isTrial)) return "trial";
  if (document.is_object() && document.contains("messages") && document["messages"].is_array() &&
      document.contains("model"))
    return "talk";
  return "";
}

std::unique_ptr<View> openDocument(std::string title, Json document) {
  std::string kind = kindOf(document);
  ORDO_CHECK(!kind.empty(), "{} is neither trials nor a dialogue", title);
  return std::make_unique<DocumentView>(std::move(kind), std::move(title), std::move(document));
}

}  // namespace ordo::web
