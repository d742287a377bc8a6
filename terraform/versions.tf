terraform {
  required_version = ">= 1.9" # validations that look at several variables

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 8.7"
    }
  }
}

provider "google" {
  project = var.project_id
  region  = local.region
  zone    = var.zone

  default_labels = local.labels
}
