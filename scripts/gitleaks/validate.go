package utils

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/zricethezav/gitleaks/v8/cmd/generate/config/base"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
)

type positive struct {
	Text    string   `json:"text"`
	Secrets []string `json:"secrets"`
}

type written struct {
	ID        string     `json:"id"`
	Pattern   string     `json:"pattern"`
	Group     int        `json:"group"`
	Entropy   float64    `json:"entropy"`
	Keywords  []string   `json:"keywords"`
	Path      bool       `json:"path"`
	Permitted bool       `json:"permitted"`
	Positives []positive `json:"positives"`
	Negatives []string   `json:"negatives"`
}

// Validate writes a rule with its fixtures as one line of JSON. It stands in the place of the function that holds them against each other.
func Validate(rule config.Rule, truePositives []string, falsePositives []string) *config.Rule {
	write(&rule, truePositives, falsePositives)
	return &rule
}

// ValidateWithPaths does the same for fixtures that name the file in which they stand.
func ValidateWithPaths(rule config.Rule, truePositives map[string]string, falsePositives map[string]string) *config.Rule {
	write(&rule, valuesOf(truePositives), valuesOf(falsePositives))
	return &rule
}

func write(rule *config.Rule, truePositives []string, falsePositives []string) {
	line := written{ID: rule.RuleID, Group: rule.SecretGroup, Entropy: rule.Entropy, Path: rule.Path != nil, Permitted: len(rule.Allowlists) > 0, Negatives: sorted(falsePositives), Positives: []positive{}}
	if rule.Regex != nil {
		line.Pattern = rule.Regex.String()
	}
	for _, keyword := range rule.Keywords {
		line.Keywords = append(line.Keywords, strings.ToLower(keyword))
	}
	cfg := base.CreateGlobalConfig()
	copied := *rule
	copied.Path = nil
	copied.Keywords = line.Keywords
	cfg.Rules = map[string]config.Rule{rule.RuleID: copied}
	cfg.Keywords = map[string]struct{}{}
	for _, keyword := range line.Keywords {
		cfg.Keywords[keyword] = struct{}{}
	}
	for _, allowlist := range cfg.Allowlists {
		if err := allowlist.Validate(); err != nil {
			panic(err)
		}
	}
	detector := detect.NewDetector(cfg)
	for _, text := range sorted(truePositives) {
		found := positive{Text: text, Secrets: []string{}}
		for _, finding := range detector.DetectString(text) {
			found.Secrets = append(found.Secrets, finding.Secret)
		}
		line.Positives = append(line.Positives, found)
	}
	out, err := os.OpenFile(os.Getenv("RULES_FILE"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer out.Close()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line); err != nil {
		panic(err)
	}
}

func valuesOf(texts map[string]string) []string {
	list := []string{}
	for _, text := range texts {
		list = append(list, text)
	}
	return list
}

func sorted(texts []string) []string {
	list := slices.Clone(texts)
	slices.Sort(list)
	return list
}
